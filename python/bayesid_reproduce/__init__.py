# SPDX-License-Identifier: BSD-3-Clause
"""Experiments of the paper, by the program: `bayesid reproduce EXPERIMENT`."""
