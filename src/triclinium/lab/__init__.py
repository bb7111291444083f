"""Many matches at once: simulation and speed."""

from triclinium.lab.bench import measure_speed
from triclinium.lab.simulate import SimulationPlan, run_simulation

__all__ = ["SimulationPlan", "measure_speed", "run_simulation"]
