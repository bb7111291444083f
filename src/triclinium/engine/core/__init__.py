"""The compiled core of the engine: states, steps, options, events and the other parts that rules use."""
