"""Many matches at once: simulation and speed."""

from triclinium.lab.bench import bench
from triclinium.lab.simulate import Plan, simulate

__all__ = ["Plan", "bench", "simulate"]
