//! One tree at given sizes: the values that *How it is built* in the book prints. `UPDATE_EXPECT=1` rewrites them there.

use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rand::SeedableRng;

use super::*;
use crate::channel::{Channel, TwoSidedGeometric};
use crate::contract::{Block, BlockSizes, Split};
use crate::model::{CountSpec, FactorSpec, Latent, Slot, TermSpec};
use crate::streams::Stream;

const TREE: Tree = Tree {
    text: "rate[d,v] = sum_k left[d,k] right[v,k]",
    batch: "",
    rows: "d",
    cols: "v",
    slots: &[Slot::new(0, "k")],
    nodes: &[],
    steps: &[
        Contraction::copy("dk = dk", Place::Left(0), Leaf::Latent(0)),
        Contraction::copy("vk = kv", Place::Right(0), Leaf::Latent(1)),
    ],
};

const COUNT: CountSpec = CountSpec {
    name: "y",
    vars: &[0, 1, 2],
    free: 2,
    guards: &[],
    terms: &[TermSpec::new(
        1.0,
        &[],
        &[FactorSpec::latent(0, &[0, 2]), FactorSpec::latent(1, &[2, 1])],
        &[2],
    )],
    layouts: 1,
    total: None,
    is_hidden: false,
};

const SIZES: [usize; 3] = [2, 3, 2];

fn latent(name: &'static str, shape: [usize; 2]) -> Latent {
    Latent {
        name,
        indices: vec!["a", "b"],
        shape: shape.to_vec(),
        family: &crate::family::Gamma,
        along: None,
        uses: 1,
        has_parents: false,
        is_parent: false,
        custom_update: false,
        in_open_total: false,
        components: Vec::new(),
    }
}

fn root() -> Root {
    let grid = TREE.grid("dvk", &COUNT, &SIZES);
    let operands = Operands::zeros(&grid);
    let mut root = Root::empty();
    root.seeds = operands.clone();
    root.operands = operands;
    root
}

/// *How it is built* in the book. What does not agree is rewritten, or fails the test.
struct Page {
    _alone: MutexGuard<'static, ()>,
    path: PathBuf,
    text: String,
    update: bool,
}

impl Page {
    fn open() -> Self {
        // Tests run side by side, and two may rewrite the page.
        static WRITER: Mutex<()> = Mutex::new(());
        let alone = WRITER.lock().unwrap_or_else(PoisonError::into_inner);
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/src/internals.md");
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let update = std::env::var("UPDATE_EXPECT").is_ok_and(|v| v != "0");
        Self {
            _alone: alone,
            path,
            text,
            update,
        }
    }

    fn block(&mut self, kind: &str, found: &str) {
        let open = format!("```{kind}\n");
        assert_eq!(self.text.matches(&open).count(), 1, "blocks of kind `{kind}`");
        let begin = self.text.find(&open).unwrap() + open.len();
        let end = begin + self.text[begin..].find("```").unwrap();
        if self.update {
            self.text.replace_range(begin..end, found);
            fs::write(&self.path, &self.text).unwrap();
        } else {
            let page = &self.text[begin..end];
            assert_eq!(page, found, "a block of kind `{kind}`: UPDATE_EXPECT=1 rewrites it");
        }
    }
}

/// `[1 2; 3 4]`: the rows of a matrix.
fn matrix(values: &[f64], width: usize) -> String {
    let rows = values.chunks(width).map(|row| {
        let row: Vec<String> = row.iter().map(f64::to_string).collect();
        row.join(" ")
    });
    format!("[{}]", rows.collect::<Vec<_>>().join("; "))
}

fn walks() -> Walks {
    Walks::new(&TREE, "dvk", &COUNT, &SIZES, &[], &[])
}

fn zeros() -> Factors {
    Factors::zeros(&[latent("theta", [2, 2]), latent("phi", [2, 3])])
}

/// The factors on the page, and both sides of the product after the forward walk.
fn forward() -> (Factors, Root) {
    let (mut x, mut root) = (zeros(), root());
    x[0].copy_from_slice(&[1.0, 2.0, 3.0, 4.0]);
    x[1].copy_from_slice(&[10.0, 20.0, 30.0, 40.0, 50.0, 60.0]);
    walks().forward(&x, &[], &mut root);
    (x, root)
}

/// The strides on the page.
#[test]
fn letters_become_strides() {
    let [v, k] = [Axis::new(3, 2, 1, 0), Axis::new(2, 1, 3, 0)];
    assert_eq!(walks().steps[1].pair, Pair::new(&[v, k]));
    let [docs, words, topics] = SIZES;
    let step = TREE.steps[1].letters;
    let line = |letter: char, Axis { size, out, left, .. }: Axis| {
        format!("{letter}: {size} values, {out} apart in right, {left} apart in phi\n")
    };
    let [v, k] = [line('v', v), line('k', k)];
    let mut page = Page::open();
    page.block(
        "text strides",
        &format!("sizes       {docs} documents, {words} words, {topics} topics\n{step:?}   {v}            {k}"),
    );
}

/// The values of the three walks on the page.
#[test]
fn walks_go_forward_and_back() {
    let (walks, (x, mut root)) = (walks(), forward());
    let grid = TREE.grid("dvk", &COUNT, &SIZES);
    assert_eq!(root.operands.left, [1.0, 2.0, 3.0, 4.0]);
    assert_eq!(root.operands.right, [10.0, 40.0, 20.0, 50.0, 30.0, 60.0]);
    let (mut rates, mut scratch) = (Vec::new(), Vec::new());
    let blocks = Block::cut(&grid, 0..2, BlockSizes::default());
    let [block] = &blocks[..] else {
        panic!("six cells are one block")
    };
    block.rates(&grid, &root.operands, &mut rates, &mut scratch);
    assert_eq!(rates, [90.0, 120.0, 150.0, 190.0, 260.0, 330.0]);

    let weights = [1.0; 6];
    block.pull_left(&grid, &root.operands, &weights, 0, &mut root.seeds.left, &mut scratch);
    block.pull_right(&grid, &root.operands, &weights, &mut root.seeds.right, &mut scratch);
    let seeds = root.seeds.clone();
    let mut exposure = zeros();
    walks.adjoint(&x, &[], &root, &mut exposure);
    assert_eq!(exposure[0], [60.0, 150.0, 60.0, 150.0]);
    assert_eq!(exposure[1], [4.0, 4.0, 4.0, 6.0, 6.0, 6.0]);

    root.seeds.left.copy_from_slice(&[5.0, 0.0, 1.0, 2.0]);
    root.seeds.right.copy_from_slice(&[3.0, 0.0, 1.0, 2.0, 2.0, 0.0]);
    let mut counts = zeros();
    walks.thin(&x, &[], &root, &mut counts, &Streams::new(1, 0), 0);
    assert_eq!(counts[0], [5.0, 0.0, 1.0, 2.0]);
    assert_eq!(counts[1], [3.0, 1.0, 2.0, 0.0, 2.0, 0.0]);

    let [theta, phi] = [matrix(&x[0], 2), matrix(&x[1], 3)];
    let Operands { left, right, .. } = &root.operands;
    let [left, right, rates] = [matrix(left, 2), matrix(right, 2), matrix(&rates, 3)];
    let [on_left, on_theta] = [&seeds.left, &exposure[0]].map(|values| matrix(values, 2));
    let [counts_on_left, counts_on_theta] = [&root.seeds.left, &counts[0]].map(|values| matrix(values, 2));
    let step = TREE.steps[0].letters;
    Page::open().block(
        "text walks",
        &format!(
            "theta       {theta}\n\
             phi         {phi}\n\
             forward     left = {left}   right = {right}   rate = {rates}\n\
             exposure    of θ at weights of one: left {on_left}, which {step:?} hands to θ: {on_theta}\n\
             thin        counts on left {counts_on_left}, which {step:?} hands to θ: {counts_on_theta}\n"
        ),
    );
}

/// The first cell on the page: its draw, what coordinate ascent has in its place, and how the draw is divided.
#[test]
fn a_cell_is_drawn_and_divided() {
    let (_, root) = forward();
    let grid = TREE.grid("dvk", &COUNT, &SIZES);
    let rate = root.operands.rate(&grid, 0, 0);
    let (released, alpha, seed) = (100_i32, 0.5_f64, 1);
    let channel = TwoSidedGeometric::new(alpha).unwrap();
    let mut rng = Stream::seed_from_u64(seed);
    let y = channel.impute(rate, released.into(), &mut rng);
    let (left, right) = (&root.operands.left[..2], &root.operands.right[..2]);
    let mut parts = [0; 2];
    Split::new(2).split(y, left, right, &mut rng, &mut |k: usize, n: u64| parts[k] += n);
    let mean = channel.expect(rate, released.into());
    assert_eq!((y, parts), (98, [10, 88]));
    // The law on the page; what lies beyond 400 weighs nothing.
    let mut term = (-rate).exp();
    let [mut mass, mut sum] = [0.0; 2];
    for y in 0..400 {
        let weight = term * alpha.powi((released - y).abs());
        mass += weight;
        sum += weight * f64::from(y);
        term *= rate / f64::from(y + 1);
    }
    assert!((mean - sum / mass).abs() < 1e-9, "{mean} {}", sum / mass);
    Page::open().block(
        "text cell",
        &format!(
            "observed    {released} was released with alpha = {alpha} where the rate is {rate}; the generator is seeded by {seed}\n\
             draw        y = {y} from P(y) ∝ {rate}^y/y! {alpha}^|{released} − y|, whose mean, E[y] of coordinate ascent, is {mean:.1}\n\
             split       {y} in proportion to {} · {} and {} · {}: {} and {}, which are added to left[0, ·] and right[0, ·]\n",
            left[0], right[0], left[1], right[1], parts[0], parts[1]
        ),
    );
}

#[test]
fn costs_are_sums_of_products() {
    let cost = TREE.cost("dvk", &COUNT, &SIZES);
    assert_eq!((cost.root, cost.below, cost.memory), (12.0, 40.0, 10.0));
    assert_eq!(cost.product, [1.0, 2.0, 3.0, 2.0]);
}
