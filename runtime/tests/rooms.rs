//! Arrows between rooms go one way: read off the imports of the library and of the compiler.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The rooms of the library, lowest first: each may read those before it, and nothing else. `error` has what the rooms below the views
/// return, and is returned by those above.
const RUNTIME: [&str; 23] = [
    "quoted",
    "plain_debug",
    "regular_file",
    "whole_file",
    "memory",
    "streams",
    "special",
    "distribution",
    "family",
    "contract",
    "counts",
    "file",
    "channel",
    "release",
    "diagnose",
    "simulate",
    "total",
    "error",
    "view",
    "model",
    "infer",
    "selftest",
    "plot",
];

/// The phases of the compiler: `show` and `emit` read what was derived.
const COMPILER: [&str; 9] = [
    "diagnostics",
    "cells",
    "family",
    "syntax",
    "resolve",
    "check",
    "derive",
    "show",
    "emit",
];

/// Source files of a room: `room.rs` and everything under `room/`, tests excepted.
fn files(of: &Path, name: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![of.join(name)];
    let one = of.join(format!("{name}.rs"));
    if one.is_file() {
        found.push((one.display().to_string(), fs::read_to_string(&one).unwrap()));
    }
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") && !is_test {
                found.push((path.display().to_string(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

/// The code of a file up to its tests, whoever may see these.
fn before_its_tests(source: &str) -> &str {
    let tests = ["\nmod tests {", "\npub(crate) mod tests {"];
    let ends = tests.into_iter().filter_map(|tests| source.find(tests));
    &source[..ends.min().unwrap_or(source.len())]
}

/// As many `super::` as lead out of the room of a file: `src/room.rs`, `src/room/mod.rs` or deeper.
fn out_of_its_room(path: &str) -> String {
    let inside = path.rsplit_once("src/").map_or(path, |(_, inside)| inside);
    let inside = inside.trim_end_matches(".rs").trim_end_matches("/mod");
    "super::".repeat(inside.split('/').count())
}

/// The rooms that a file reads: what follows `crate::` in its code, or as many `super::`, up to its tests.
fn reads(path: &str, source: &str) -> BTreeSet<String> {
    let lines = before_its_tests(source)
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    let code: Vec<&str> = lines.collect();
    let code = code.join("\n").replace(&out_of_its_room(path), "crate::");
    let name = |rest: &str| -> String { rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect() };
    let mut read = BTreeSet::new();
    for after in code.split("crate::").skip(1) {
        // `crate::{model::Rules, view}`: what stands at the first level of the brackets.
        let Some(list) = after.strip_prefix('{') else {
            read.insert(name(after));
            continue;
        };
        let (mut depth, mut first) = (0, String::new());
        for c in list.chars().take_while(|c| *c != ';') {
            depth += i32::from(c == '{') - i32::from(c == '}');
            if depth == 0 {
                first.push(c);
            }
        }
        read.extend(
            first
                .split(',')
                .map(|path| name(path.trim_start()))
                .filter(|name| !name.is_empty()),
        );
    }
    read
}

/// What belongs to no room: what is made for generated code and for users out of all of them. No room reads it, nor what the crate exports
/// at its root.
const APART: [&str; 5] = ["lib", "preamble", "prelude", "private", "user_types"];

/// Files and folders directly under the sources.
fn names(of: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(of).unwrap().map(|entry| entry.unwrap().path());
    entries
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .collect()
}

/// `file: name` for every file that reads more than its own room and those before it: a room after it, or something that is no room.
fn back_arrows(rooms: &[&str], files: impl Fn(&str) -> Vec<(String, String)>) -> Vec<String> {
    let mut back = Vec::new();
    for (place, room) in rooms.iter().enumerate() {
        let files = files(room);
        assert!(!files.is_empty(), "there is no room `{room}`");
        for (path, source) in files {
            let others = reads(&path, &source)
                .into_iter()
                .filter(|read| !rooms[..=place].contains(&&**read));
            back.extend(others.map(|read| format!("{path}: {read}")));
        }
    }
    back
}

/// A room and all that it rests on, directly or by way of others.
fn rests_on(room: &str, files: impl Fn(&str) -> Vec<(String, String)>) -> BTreeSet<String> {
    let (mut ahead, mut reached) = (vec![room.to_owned()], BTreeSet::new());
    while let Some(room) = ahead.pop() {
        if reached.insert(room.clone()) {
            ahead.extend(files(&room).iter().flat_map(|(path, source)| reads(path, source)));
        }
    }
    reached
}

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn no_room_reads_one_above_it() {
    assert_eq!(back_arrows(&RUNTIME, |room| files(&sources(), room)), [""; 0]);
    let compiler = Path::new(env!("CARGO_MANIFEST_DIR")).join("../model-macro/compiler/src");
    assert_eq!(back_arrows(&COMPILER, |room| files(&compiler, room)), [""; 0]);
}

/// A new room has its place in the order, and in the book.
#[test]
fn every_room_has_its_place() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let rooms: BTreeSet<String> = RUNTIME.iter().chain(&APART).map(|&room| room.to_owned()).collect();
    assert_eq!(names(&here.join("src")), rooms);
    let page = fs::read_to_string(here.join("../docs/src/decisions/rooms.md")).unwrap();
    let lines = page.lines().filter_map(|line| line.strip_prefix("    "));
    let order: Vec<&str> = lines.filter_map(|line| line.split(' ').next()).collect();
    assert_eq!(order, RUNTIME, "the order in rooms.md");
}

/// What a release rests on, room by room, runs on one thread and needs no linear algebra: an auditor need read neither, nor what comes after
/// releases.
#[test]
fn a_release_rests_on_no_engine() {
    let rooms = rests_on("release", |room| files(&sources(), room));
    let release = RUNTIME.iter().position(|&room| room == "release").unwrap();
    let allowed: BTreeSet<String> = RUNTIME[..=release].iter().map(|&room| room.to_owned()).collect();
    assert!(rooms.is_subset(&allowed), "{rooms:?}");
    assert!(rooms.contains("counts") && rooms.contains("special"), "{rooms:?}");
    for (path, source) in rooms.iter().flat_map(|room| files(&sources(), room)) {
        let code = before_its_tests(&source);
        for engine in ["rayon", "nalgebra"] {
            let is_used = code.contains(&format!("use {engine}")) || code.contains(&format!("{engine}::"));
            assert!(!is_used, "{path}: {engine}");
        }
    }
}

/// `memory` once read `error`, which reads `diagnose`: so a release rested on a room after it.
#[test]
fn errors_of_models_are_no_way_around_the_order() {
    for (way, reached) in [
        ("use crate::error::Error;", "diagnose"),
        ("fn f() -> Result<(), crate::Error> {}", "Error"),
    ] {
        let changed = |room: &str| {
            let mut files = files(&sources(), room);
            if room == "memory" {
                files[0].1.insert_str(0, way);
            }
            files
        };
        let back = back_arrows(&RUNTIME, changed);
        assert!(matches!(&back[..], [one] if one.contains("memory")), "{way}: {back:?}");
        let rooms = rests_on("release", changed);
        assert!(rooms.contains(reached), "{way}: {rooms:?}");
    }
}

/// Lines of code: without tests, comments and blank lines.
fn lines_of_code(source: &str) -> usize {
    let source = source.replace("#[cfg(test)]\nmod tests;\n", "");
    let lines = before_its_tests(&source)
        .lines()
        .map(str::trim)
        .filter(|line| *line != "#[cfg(test)]");
    lines.filter(|line| !line.is_empty() && !line.starts_with("//")).count()
}

/// What these rooms weigh is bounded; `readers.md` has the numbers, in this unit and in others.
#[test]
fn counts_and_releases_stay_light() {
    let files = ["counts", "release"].map(|room| files(&sources(), room));
    let lines: usize = files.iter().flatten().map(|(_, source)| lines_of_code(source)).sum();
    assert!((5_000..=7_400).contains(&lines), "{lines} lines of code");
}

#[test]
fn lines_of_code_are_neither_tests_nor_comments() {
    let source = "//! A room.\n\n/// One.\nfn one() -> u8 {\n    // Why.\n    1 // One.\n}\n\n#[cfg(test)]\nmod tests {\n    fn f() {}\n}\n";
    assert_eq!(lines_of_code(source), 3);
    assert_eq!(lines_of_code("#[cfg(test)]\nmod tests;\nmod one;\n"), 1);
}

#[test]
fn an_arrow_back_is_seen() {
    let reads_at = |path: &str, source: &str| reads(path, source).into_iter().collect::<Vec<_>>();
    let reads = |source: &str| reads_at("src/view/grid.rs", source);
    assert_eq!(reads("use crate::infer::Gibbs;\n// crate::view\n"), ["infer"]);
    assert_eq!(
        reads("use crate::{\n    model::{self, Rules},\n    view,\n};"),
        ["model", "view"]
    );
    assert_eq!(
        reads("fn f() -> crate::model::Rules {}\n#[cfg(test)]\nmod tests {\n use crate::infer; }"),
        ["model"]
    );
    assert_eq!(reads("use super::super::infer::Gibbs;\nuse super::cells;\n"), ["infer"]);
    assert_eq!(reads_at("src/view/mod.rs", "use super::infer::Gibbs;\n"), ["infer"]);
}
