//! The numbers of the page "What is promised".

use super::*;

const WORDS: [&str; 5] = ["meeting", "budget", "strike", "union", "lunch"];
const WITH: [i64; 5] = [3, 1, 2, 0, 0];
const WITHOUT: [i64; 5] = [3, 1, 0, 0, 0];

#[test]
fn two_documents() {
    let budget = budget(2, 1.0);
    let counts = Sensitive::new(Counts::dense(vec![1, 5], WITH.to_vec()).unwrap());
    let released = counts.release_with_seed_for_simulation(&budget, 2).unwrap();
    let mut table = Table::of(&[
        "word",
        "letter A",
        "letter B",
        "released",
        "P given A",
        "P given B",
        "ratio",
    ]);
    let mut all = [1.0; 2];
    for (i, word) in WORDS.iter().enumerate() {
        let c = released.values().unwrap()[i];
        let p = [WITH[i], WITHOUT[i]].map(|y| noise(budget.alpha(), c - y));
        all = [all[0] * p[0], all[1] * p[1]];
        let numbers = [WITH[i], WITHOUT[i], c].map(|x| x.to_string());
        table.row(std::iter::once(format!("*{word}*")).chain(numbers).chain([
            short(p[0]),
            short(p[1]),
            short(p[0] / p[1]),
        ]));
    }
    table.row(["the letter", "", "", ""].map(String::from).into_iter().chain([
        short(all[0]),
        short(all[1]),
        short(all[0] / all[1]),
    ]));
    Page::open("promise.md").table("two-letters", &table);

    // The bound, over all releases of the one word in which they differ.
    let mut table = Table::of(&["release of *strike*", "-2", "-1", "0", "1", "2", "3", "4"]);
    let ratio = |c| noise(budget.alpha(), c - 2) / noise(budget.alpha(), c);
    let cells = (-2..=4).map(|c| short(ratio(c)));
    table.row(std::iter::once("P given A / P given B".to_owned()).chain(cells));
    Page::open("promise.md").table("every-release", &table);
}

#[test]
fn other_n() {
    let budget = budget(2, 1.0);
    let mut table = Table::of(&[
        "N'",
        "epsilon'",
        "largest ratio, exp(epsilon')",
        "from even odds, an adversary is at most this sure",
    ]);
    for n in [1u64, 2, 4, 10, 20, 100] {
        let epsilon = budget.epsilon_for(n);
        let sure = 1.0 / (1.0 + (-epsilon).exp());
        let sure = if sure > 0.9999 {
            "more than 99.99 %".into()
        } else {
            percent(sure)
        };
        let ratio = if epsilon > 9.0 {
            format!("{:.1e}", epsilon.exp())
        } else {
            short(epsilon.exp())
        };
        table.row([n.to_string(), short(epsilon), ratio, sure]);
    }
    Page::open("promise.md").table("other-n", &table);
}

#[test]
fn several_alphas() {
    let budgets = [budget(4, 1.0), budget(4, 2.0), budget(4, 4.0)];
    let mut table = Table::of(&["counts released with", "alpha", "promise at N = 4"]);
    for budget in &budgets {
        table.row([
            format!("epsilon / N = {}", budget.gamma()),
            short(budget.alpha()),
            format!("epsilon = {}", short(budget.epsilon())),
        ]);
    }
    let weakest = Lplp::weakest(&budgets).unwrap();
    table.row([
        "all three in one document".into(),
        "".into(),
        format!("epsilon = {}", short(weakest.epsilon())),
    ]);
    Page::open("promise.md").table("several-alphas", &table);
}

#[test]
fn skellam_noise() {
    let mut table = Table::of(&[
        "N",
        "epsilon",
        "delta",
        "lambda",
        "standard deviation, Skellam",
        "the same, geometric (delta = 0)",
    ]);
    for (n, epsilon) in [(1, 0.5), (1, 1.0), (1, 2.0), (4, 1.0), (4, 4.0)] {
        let asked = 1e-6;
        let noise = SkellamNoise::promising(n, epsilon, asked).unwrap();
        assert!(noise.delta() <= asked);
        let lambda = noise.lambda().to_f64();
        table.row([
            n.to_string(),
            epsilon.to_string(),
            "1e-6".into(),
            noise.lambda().to_string(),
            short((2.0 * lambda).sqrt()),
            short(variance(budget(n, epsilon).alpha()).sqrt()),
        ]);
    }
    Page::open("promise.md").table("skellam", &table);
}

// [ledger]
fn accounts() -> Result<String, Error> {
    let mut said = String::new();
    // Four mailboxes, of which the first two are one person's. Nobody may lose more than epsilon = 2 at N = 4.
    let mail = Counts::dense(vec![4, 3], vec![5, 0, 1, 0, 2, 0, 0, 0, 9, 1, 1, 0])?;
    let mail = Sensitive::new(mail);
    let mut ledger = Ledger::new(4, Lplp::new(4, 2)?).with_users(vec![0, 0, 1, 2])?;

    let quarterly = Varying::Uniform(Lplp::new(4, (3, 4))?);
    for quarter in 1..=3 {
        match mail.release_on_account(&quarterly, ledger.all()) {
            Ok(_) => said += &format!("quarter {quarter}: released\n"),
            Err(error) => said += &format!("quarter {quarter}: {error}\n"),
        }
    }
    if let Some(spent) = ledger.spent() {
        said += &format!("spent: epsilon = {spent} of {}\n", ledger.cap().epsilon());
    }
    Ok(said)
}
// [/ledger]

#[test]
fn ledger() {
    let source = include_str!("promise.rs");
    let after = source.split("// [ledger]\n").nth(1).unwrap();
    let code = after.split("// [/ledger]\n").next().unwrap();
    let mut page = Page::open("promise.md");
    page.block("rust,ledger", code);
    page.block("text,ledger", &accounts().unwrap());
    let mut ledger = Ledger::new(1, budget(1, 1.0));
    let refused = ledger.all().charge("mine", &[Promise::None]);
    assert!(matches!(refused, Err(LedgerError::NoPromise { .. })));
}
