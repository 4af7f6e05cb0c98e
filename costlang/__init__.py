"""The cost of LLM inference: exact formulas, numbers and answers from declarative specs."""
