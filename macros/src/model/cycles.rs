//! Streams that lead back to themselves: what a handler writes would come to it again, without end.

use std::collections::VecDeque;

use syn::Path;

use crate::errors::Errors;
use crate::spanned::Range;
use crate::words::{local, path_text};

/// A handler of one stream writes to another.
pub(super) struct Edge<'a> {
    pub(super) from: &'a Path,
    pub(super) to: &'a Path,
}

/// Reports each edge that closes a circle of those before it: one mistake, one error.
pub(super) fn refuse<'a>(edges: impl IntoIterator<Item = Edge<'a>>, errors: &mut Errors) {
    let mut open: Vec<Edge<'_>> = Vec::new();
    let mut seen = Vec::new();
    for edge in edges {
        // The same stream in two keys is one mistake.
        let ends = (local(edge.from), local(edge.to));
        if seen.contains(&ends) {
            continue;
        }
        seen.push(ends);
        if local(edge.from) == local(edge.to) {
            let text = format!(
                "a reply to `{}` comes straight back to this handler",
                path_text(edge.to)
            );
            errors.push(Range::of(edge.to), text);
            continue;
        }
        let Some(way) = way_back(&open, &edge) else {
            open.push(edge);
            continue;
        };
        let way: Vec<_> = [edge.from, edge.to]
            .into_iter()
            .chain(way.iter().map(|step| step.to))
            .map(|stream| format!("`{}`", local(stream)))
            .collect();
        errors
            .push(
                Range::of(edge.to),
                format!("records go round: {}", way.join(" -> ")),
            )
            .help("let one of these handlers write to a stream that nobody handles here");
    }
}

/// The shortest way from where an edge leads to where it begins.
fn way_back<'e, 'a>(open: &'e [Edge<'a>], edge: &Edge<'a>) -> Option<Vec<&'e Edge<'a>>> {
    let goal = local(edge.from);
    let mut ways = VecDeque::from([(local(edge.to), Vec::new())]);
    let mut seen = vec![local(edge.to)];
    while let Some((at, way)) = ways.pop_front() {
        for step in open.iter().filter(|step| local(step.from) == at) {
            let mut way = way.clone();
            way.push(step);
            let next = local(step.to);
            if next == goal {
                return Some(way);
            }
            if !seen.contains(&next) {
                seen.push(next.clone());
                ways.push_back((next, way));
            }
        }
    }
    None
}
