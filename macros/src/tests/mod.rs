//! Expansions, pinned.
