//! The book hangs together.

use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/src")
}

/// Every page of the book is in its table of contents, and what it links to is there.
#[test]
fn links_lead_somewhere() {
    let summary = fs::read_to_string(folder().join("SUMMARY.md")).unwrap();
    let mut folders = vec![folder()];
    let mut links = 0;
    while let Some(folder_of_pages) = folders.pop() {
        for entry in fs::read_dir(&folder_of_pages).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|e| e != "md") {
                continue;
            }
            let name = path
                .strip_prefix(folder())
                .unwrap()
                .to_str()
                .unwrap()
                .replace('\\', "/");
            assert!(
                name == "SUMMARY.md" || summary.contains(&format!("({name})")),
                "{name} is in no table of contents"
            );
            let text = fs::read_to_string(&path).unwrap();
            let prose: String = text.split("```").step_by(2).collect();
            for link in prose.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
                let target = link.split('#').next().unwrap();
                if target.is_empty() || target.contains("://") {
                    continue;
                }
                assert!(path.parent().unwrap().join(target).exists(), "{name}: {link}");
                links += 1;
            }
        }
    }
    assert!(links > 40, "{links}");
}
