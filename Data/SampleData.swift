/// The annotations that ship inside the program. See `README.md` beside this file for sources.
public enum SampleData {}
