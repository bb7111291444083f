"""Rules of the game, one module for each chapter. They are compiled and import neither views nor bots."""
