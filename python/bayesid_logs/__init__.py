# SPDX-License-Identifier: BSD-3-Clause
"""Reads logs that are not CSV for the bayesid program, which runs `python -m bayesid_logs FILE`."""
