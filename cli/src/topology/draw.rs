//! The tree as a drawing: hosts one under the other, and links from left to right.

use std::fmt::Write;

use superstep_network::topology::Tree;

/// Height of a host's line, in pixels: a line of text of 12 pixels, and half of one between lines.
const LINE: f64 = 18.0;

/// Width of a link, in pixels: latencies differ by factors of a thousand, so they are written and
/// not drawn to scale.
const LINK: f64 = 70.0;

/// Draws the tree from the switch next to host 0. A library for plots would draw the same lines,
/// and not lay out the tree.
pub(super) fn svg(tree: &Tree) -> String {
    let hosts = tree.hosts();
    let top = tree.preorder()[1];
    let is_host = |v: u32| (v as usize) < hosts;
    // Host 0 hangs on the top switch like others; of two hosts the first is the top.
    let order = tree.depth_first();
    let mut depth = vec![0_u32; tree.preorder().len()];
    let mut y = vec![0.0; tree.preorder().len()];
    for (line, &host) in order.iter().enumerate() {
        y[host as usize] = (line as f64 + 1.0) * LINE;
    }
    let parent = |v: u32| match tree.parent(v) {
        Some(0) | None if !is_host(top) => (v != top).then_some(top),
        up => up,
    };
    for &v in tree.preorder() {
        depth[v as usize] = parent(v).map_or(0, |up| depth[up as usize] + 1);
    }
    // Host 0 comes before its switch.
    depth[0] = u32::from(!is_host(top));
    let mut span = vec![(f64::INFINITY, f64::NEG_INFINITY); y.len()];
    for &v in tree.preorder().iter().rev() {
        if !is_host(v) {
            y[v as usize] = (span[v as usize].0 + span[v as usize].1) / 2.0;
        }
        if let Some(up) = parent(v) {
            let (low, high) = &mut span[up as usize];
            (*low, *high) = (low.min(y[v as usize]), high.max(y[v as usize]));
        }
        if v == top && !is_host(top) {
            // Host 0 is the last that is met, and belongs to the top's span.
            let (low, high) = &mut span[top as usize];
            (*low, *high) = (low.min(y[0]), high.max(y[0]));
            y[top as usize] = (*low + *high) / 2.0;
        }
    }
    let x = |v: u32| 10.0 + LINK * f64::from(depth[v as usize]);
    let deepest = depth.iter().copied().max().unwrap_or(0);
    let longest = tree.names().iter().map(|name| name.chars().count()).max();
    let width = 30.0 + LINK * f64::from(deepest) + 8.0 * longest.unwrap_or(0) as f64;
    let height = (hosts as f64 + 1.0) * LINE;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" font-family=\"sans-serif\" font-size=\"11\">\n\
         <g stroke=\"black\" fill=\"none\">\n"
    );
    let drawn = |v: u32| if v == 0 { top } else { v };
    let links: Vec<(u32, u32)> = tree
        .preorder()
        .iter()
        .filter_map(|&v| parent(v).map(|up| (v, up)))
        .collect();
    for &(v, up) in &links {
        let (from, to) = (y[up as usize], y[v as usize]);
        let _ = writeln!(
            text,
            "<path d=\"M{:.0} {from:.0}V{to:.0}H{:.0}\"/>",
            x(up),
            x(v)
        );
    }
    text.push_str("</g>\n");
    for &(v, up) in &links {
        let latency = tree.latency(drawn(v));
        let (at, line) = (x(up) + 4.0, y[v as usize] - 3.0);
        let _ = writeln!(
            text,
            "<text x=\"{at:.0}\" y=\"{line:.0}\" fill=\"#666\">{latency:.1}</text>"
        );
    }
    for (host, name) in tree.names().iter().enumerate() {
        let (at, line) = (x(host as u32) + 4.0, y[host] + 4.0);
        let _ = writeln!(
            text,
            "<text x=\"{at:.0}\" y=\"{line:.0}\">{}</text>",
            escaped(name)
        );
    }
    text.push_str("</svg>\n");
    text
}

fn escaped(name: &str) -> String {
    let name = name.replace('&', "&amp;").replace('<', "&lt;");
    name.replace('>', "&gt;")
}
