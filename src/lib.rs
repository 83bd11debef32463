//! superstep: the facade.
