//! Printed forms: all of a model, those that a run refuses with the words of the run, and LaTeX.

use skellam::prelude::*;

macro_rules! matrix {
    ($name:ident, $($release:tt)*) => {
        skellam::model! {
            model $name {
                index docs, words, topics;
                latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
                latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
                count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
                $($release)*
            }
        }
    };
}

matrix!(Topics, release y by TwoSidedGeometric;);
matrix!(Known, release y by Skellam;);
matrix!(Plain,);

skellam::model! {
    model Simplex {
        index docs, words, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = 1.0, along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    model Views {
        index docs, words, readers, topics;
        latent theta[d in docs, k in topics] ~ Gamma(shape = 1.0, rate = 1.0);
        latent phi[k in topics, v in words] ~ Gamma(shape = 1.0, rate = 1.0);
        latent taste[k in topics, r in readers] ~ Gamma(shape = 1.0, rate = 1.0);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        count marks[d in docs, r in readers] ~ Poisson(sum(k in topics) theta[d, k] * taste[k, r]);
        release y by TwoSidedGeometric;
        release marks by AtLeastOne;
    }
}

const TITLES: [(EngineForm, &str); 6] = [
    (EngineForm::Gibbs, "GibbsForm::Collapsed"),
    (EngineForm::GibbsAugmented, "GibbsForm::Augmented"),
    (EngineForm::GibbsTokens, "GibbsForm::Tokens"),
    (EngineForm::Cavi, "CaviForm::Collapsed"),
    (EngineForm::CaviAugmented, "CaviForm::Augmented"),
    (EngineForm::CaviPublished, "CaviForm::Published"),
];

#[test]
fn a_derivation_has_every_form_and_one_of_them_has_one() {
    let all = Topics::derivation().to_string();
    for (form, title) in TITLES {
        assert_eq!(all.matches(title).count(), 1, "{title}: {all}");
        let one = Topics::derivation_of(form).to_string();
        for (_, other) in TITLES {
            assert_eq!(one.contains(other), other == title, "{form}: {other}");
        }
        let section = |text: &str| {
            text[text.find(title).unwrap()..]
                .split("\n\n")
                .next()
                .unwrap()
                .to_owned()
        };
        assert_eq!(section(&one), section(&all), "{form}");
        let is_refused = form == EngineForm::GibbsTokens;
        assert!(
            section(&one).contains(if is_refused { "refuses it" } else { "bound:" }),
            "{form}"
        );
    }
}

fn zeros() -> Counts {
    Counts::dense(vec![2, 2], vec![3, 0, 1, 2]).unwrap()
}

fn short() -> [Gibbs; 3] {
    [GibbsForm::Collapsed, GibbsForm::Augmented, GibbsForm::Tokens].map(|form| Gibbs {
        num_tune: 1,
        num_draws: 1,
        num_chains: Some(1),
        form,
        progress: Progress::Hidden,
        ..Gibbs::default()
    })
}

fn ascent(form: CaviForm) -> Cavi {
    Cavi {
        max_iters: 3,
        anneal_iters: 1,
        num_restarts: 1,
        form,
        progress: Progress::Hidden,
        ..Cavi::default()
    }
}

/// What a run refuses is printed in the run's own words, and what is printed as a form runs.
#[test]
fn refusals_are_those_of_a_run() {
    let says = |derivation: String, error: Option<String>| match error {
        Some(error) => assert!(
            derivation.contains(&format!("refuses it with\n      {error}\n")),
            "{error}: {derivation}"
        ),
        None => assert!(!derivation.contains("refuses it"), "{derivation}"),
    };
    let exact = Plain::new(&zeros()).unwrap().topics(1);
    let released = Sensitive::new(zeros())
        .release_with_seed_for_simulation(&Lplp::new(1, 1).unwrap(), 1)
        .unwrap();
    let simplex = Simplex::new(&released).unwrap().topics(1);
    let topics = Topics::new(&released).unwrap().topics(1);
    let said = |error: Option<Error>| error.map(|error| error.to_string());
    let draws = [EngineForm::Gibbs, EngineForm::GibbsAugmented, EngineForm::GibbsTokens];
    for (form, settings) in draws.into_iter().zip(short()) {
        let errors = [
            exact.gibbs(&settings).err(),
            simplex.gibbs(&settings).err(),
            topics.gibbs(&settings).err(),
        ];
        let [of_exact, of_simplex, of_topics] = errors.map(said);
        says(Plain::derivation_of(form).to_string(), of_exact);
        says(Simplex::derivation_of(form).to_string(), of_simplex);
        says(Topics::derivation_of(form).to_string(), of_topics);
    }
    for (form, settings) in [
        (EngineForm::Cavi, CaviForm::Collapsed),
        (EngineForm::CaviAugmented, CaviForm::Augmented),
        (EngineForm::CaviPublished, CaviForm::Published),
    ] {
        let settings = ascent(settings);
        let errors = [
            exact.cavi(&settings).err(),
            simplex.cavi(&settings).err(),
            topics.cavi(&settings).err(),
        ];
        let [of_exact, of_simplex, of_topics] = errors.map(said);
        says(Plain::derivation_of(form).to_string(), of_exact);
        says(Simplex::derivation_of(form).to_string(), of_simplex);
        says(Topics::derivation_of(form).to_string(), of_topics);
    }
    assert!(
        Simplex::derivation_of(EngineForm::CaviPublished)
            .to_string()
            .contains("`phi` is a simplex")
    );
    assert!(
        Plain::derivation_of(EngineForm::CaviAugmented)
            .to_string()
            .contains("channel Exact has no augmented form")
    );
}

skellam::model! {
    /// A token takes two indices.
    model Core {
        index docs, words, topics, kinds;
        latent theta[d in docs, k in topics] ~ Dirichlet(concentration = 1.0, along = k);
        latent core[k in topics, l in kinds] ~ Dirichlet(concentration = 1.0, along = l);
        latent phi[l in kinds, v in words] ~ Dirichlet(concentration = 1.0, along = v);
        count y[d in docs, v in words] ~ Poisson(3.0 * sum(k in topics, l in kinds) theta[d, k] * core[k, l] * phi[l, v]);
        release y by TwoSidedGeometric;
    }
}

/// One index at a time, tokens can be moved, but not put where the latents say.
#[test]
fn tokens_of_sums_are_refused_behind_noise() {
    let settings = &short()[2];
    let budget = Lplp::new(1, 1).unwrap();
    let released = Sensitive::new(zeros())
        .release_with_seed_for_simulation(&budget, 1)
        .unwrap();
    let refused = Core::new(&released)
        .unwrap()
        .topics(2)
        .kinds(2)
        .gibbs(settings)
        .unwrap_err();
    assert!(
        matches!(refused, Error::Form(skellam::FormError::TokensOfSums { count: "y" })),
        "{refused}"
    );
    assert!(
        Core::exact(&zeros())
            .unwrap()
            .topics(2)
            .kinds(2)
            .gibbs(settings)
            .is_ok()
    );
}

/// Beside an augmented form a channel without one stays collapsed.
#[test]
fn a_count_without_a_form_says_that_it_stays() {
    let stays = "AtLeastOne has no augmented form: these cells stay collapsed";
    for form in EngineForm::ALL {
        let text = Views::derivation_of(form).to_string();
        assert_eq!(text.contains(stays), !form.is_collapsed(), "{form}: {text}");
    }
}

#[test]
fn derivations_are_documents() {
    for derivation in [
        Topics::derivation(),
        Known::derivation(),
        Simplex::derivation(),
        Views::derivation(),
    ] {
        let latex = derivation.latex();
        assert!(latex.is_ascii(), "{latex}");
        // What is not in the table of symbols.
        assert!(!latex.contains(r"\text{?"), "{latex}");
        assert_eq!(
            latex.matches(r"\left").count(),
            latex.matches(r"\right").count(),
            "{latex}"
        );
        assert_eq!(
            latex.matches(r"\begin{").count(),
            latex.matches(r"\end{").count(),
            "{latex}"
        );
        assert_eq!(latex.matches('{').count(), latex.matches('}').count(), "{latex}");
    }
}

#[test]
fn forms_are_read_by_their_names() {
    for form in EngineForm::ALL {
        assert_eq!(form.name().parse::<EngineForm>().unwrap(), form);
        assert_eq!(form.collapsed().is_gibbs(), form.is_gibbs());
        assert!(form.collapsed().is_collapsed());
    }
    let refused = "Gibbs".parse::<EngineForm>().unwrap_err().to_string();
    assert_eq!(
        refused,
        "`Gibbs` is not the name of an engine in one of its forms, which are gibbs, gibbs-augmented, gibbs-tokens, cavi, cavi-augmented, cavi-published"
    );
}
