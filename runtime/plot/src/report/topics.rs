//! Components to be looked through: a plane of circles, and the entries of the chosen one by relevance, as in LDAvis (Sievert and Shirley 2014).

use serde_json::{Value, json};

use super::components::{Shares, top};
use super::html::Page;
use super::places::places;

/// Entries of a component that its list can show, at each of some weights of relevance.
const CANDIDATES: usize = 25;

/// Adds the view; without script it stays hidden.
pub(super) fn add(page: &mut Page, of: &Shares, masses: &[f64]) {
    if of.shares.len() < 2 {
        return;
    }
    let entries = of.labels.len();
    let overall: Vec<f64> = (0..entries)
        .map(|v| of.shares.iter().zip(masses).map(|(line, mass)| line[v] * mass).sum())
        .collect();
    let candidates = |line: &[f64]| {
        let mut all: Vec<usize> = Vec::new();
        for lambda in [1.0, 0.6, 0.3, 0.0] {
            let relevance: Vec<f64> = (line.iter().zip(&overall))
                .map(|(p, overall)| match *p > 0.0 {
                    true => lambda * p.ln() + (1.0 - lambda) * (p / overall).ln(),
                    false => f64::NEG_INFINITY,
                })
                .collect();
            all.extend(top(&relevance, CANDIDATES));
        }
        all.sort_unstable();
        all.dedup();
        all
    };
    let chosen: Vec<Vec<usize>> = of.shares.iter().map(|line| candidates(line)).collect();
    // Entries are numbered anew: most have no place in any list.
    let mut used: Vec<usize> = chosen.iter().flatten().copied().collect();
    used.sort_unstable();
    used.dedup();
    let number = |v: &usize| used.binary_search(v).unwrap_or(0);
    let topics = (of.shares.iter().zip(&chosen)).zip(places(&of.shares)).zip(masses);
    let topics = topics.map(|(((line, chosen), at), mass)| {
        let words = chosen.iter().map(|v| json!({ "v": number(v), "p": rounded(line[*v]) }));
        json!({ "share": rounded(*mass), "at": at.map(rounded), "words": words.collect::<Vec<_>>() })
    });
    let data = json!({
        "topics": topics.collect::<Vec<_>>(),
        "labels": used.iter().map(|v| &of.labels[*v]).collect::<Vec<_>>(),
        "overall": used.iter().map(|v| rounded(overall[*v])).collect::<Vec<_>>(),
    });
    // `</script>` inside of a label would end the data.
    let data = data.to_string().replace('<', "\\u003c");
    page.raw(&format!(
        "<p id=\"controls\" hidden><label>Relevance: from frequent only here (0) to frequent (1) \
         <input id=\"lambda\" type=\"range\" min=\"0\" max=\"1\" step=\"0.05\" value=\"0.6\"></label></p>\n\
         <div id=\"view\"><svg viewBox=\"0 0 400 400\" role=\"group\" aria-label=\"Components; near ones are alike\"></svg>\
         <svg viewBox=\"0 0 400 400\" role=\"img\" aria-label=\"Entries of the chosen component; in grey their share of everything\"></svg></div>\n\
         <script type=\"application/json\" id=\"topics\">{data}</script>\n"
    ));
}

/// Six digits say all that is seen.
fn rounded(x: f64) -> Value {
    json!(format!("{x:.5e}").parse::<f64>().unwrap_or(x))
}
