"""Simulation of many matches and measurement of speed."""

from triclinium.lab.benchmark import measure_speed
from triclinium.lab.simulation import SimulationPlan, run_simulation

__all__ = ["SimulationPlan", "measure_speed", "run_simulation"]
