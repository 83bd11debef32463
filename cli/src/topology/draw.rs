//! The tree as a drawing: hosts one under the other, and links from left to right.

use std::error::Error;

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use superstep_network::topology::Tree;

/// Height of a host's line, in pixels: a line of text of 12 pixels, and half of one between lines.
const LINE: f64 = 18.0;

/// Width of a link, in pixels: latencies differ by factors of a thousand, so they are written and
/// not drawn to scale.
const LINK: i32 = 70;

/// Height of a line of text, in pixels: plotters gives letters 1 / 1.24 of it, 11 pixels.
const FONT: f64 = 13.64;

/// Draws the tree from the switch next to host 0.
pub(super) fn svg(tree: &Tree) -> Result<String, Box<dyn Error>> {
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
    let x = |v: u32| 10 + LINK * depth[v as usize] as i32;
    let y = |v: u32| y[v as usize].round() as i32;
    let deepest = depth.iter().copied().max().unwrap_or(0);
    let longest = tree.names().iter().map(|name| name.chars().count()).max();
    let width = 30 + LINK as u32 * deepest + 8 * longest.unwrap_or(0) as u32;
    let height = (hosts as f64 + 1.0) * LINE;
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (width, height as u32)).into_drawing_area();
        area.fill(&WHITE)?;
        let font = ("sans-serif", FONT).into_font();
        let above = Pos::new(HPos::Left, VPos::Bottom);
        let beside = Pos::new(HPos::Left, VPos::Center);
        let [latencies, names] = [(RGBColor(102, 102, 102), above), (BLACK, beside)]
            .map(|(colour, pos)| font.color(&colour).pos(pos));
        for &v in tree.preorder() {
            let Some(up) = parent(v) else {
                continue;
            };
            let link = [(x(up), y(up)), (x(up), y(v)), (x(v), y(v))];
            area.draw(&PathElement::new(link, BLACK))?;
            let latency = tree.latency(if v == 0 { top } else { v });
            let at = (x(up) + 4, y(v));
            area.draw(&Text::new(format!("{latency:.1}"), at, latencies.clone()))?;
        }
        for (host, name) in (0..).zip(tree.names()) {
            area.draw(&Text::new(&**name, (x(host) + 4, y(host)), names.clone()))?;
        }
        area.present()?;
    }
    Ok(text)
}
