//! The two protocols against each other, and against bytes made by hand.

mod refusals;
