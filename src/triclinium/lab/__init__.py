"""Simulation of many matches and measurement of speed."""

from triclinium.lab.simulation import SimulationPlan, run_simulation
from triclinium.lab.speed import measure_speed

__all__ = ["SimulationPlan", "measure_speed", "run_simulation"]
