//! What `generated()` prints compiles against `skellam` alone and makes the draws of the macro.

use std::fs;
use std::path::Path;
use std::process::Command;

use skellam::prelude::TwoSidedGeometric;
use skellam_tests::families::{Background, Batch, Cp3, Cp4, Matrix, Mixed, Offset, Pairs, Tucker};

mod driver;

skellam::model! {
    /// Parents, a simplex, and an array of concentrations.
    model Hierarchy {
        index docs, words, topics;
        hyper a: positive = 0.5, eta[v in words]: positive = 0.5;
        latent xi[d in docs] ~ Gamma(shape = a, rate = 1.0);
        latent theta[d in docs, k in topics] ~ Gamma(shape = a, rate = 2.0 * xi[d]);
        latent phi[k in topics, v in words] ~ Dirichlet(concentration = eta[v], along = v);
        count y[d in docs, v in words] ~ Poisson(sum(k in topics) theta[d, k] * phi[k, v]);
        release y by TwoSidedGeometric;
    }
}

skellam::model! {
    /// Several counts, rows in sequence, and two uses of a latent in one step.
    model Network {
        index actors, groups, days;
        data shown[t in days]: nonnegative;
        latent theta[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent pi[c in groups, e in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        latent trio[i in actors, c in groups] ~ Gamma(shape = 1.0, rate = 1.0);
        count mail[i in actors, j in actors] where i != j
            ~ Poisson(sum(c in groups, e in groups) theta[i, c] * theta[j, e] * pi[c, e]);
        count visits[i in actors, t in days] ~ Poisson(shown[t] * sum(c in groups) theta[i, c]);
        count meetings[i in actors, j in actors, k in actors] where i < j, j < k
            ~ Poisson(sum(c in groups) trio[i, c] * trio[j, c] * trio[k, c]);
        release mail by TwoSidedGeometric;
    }
}

/// One build for all models. The methods that print a model are not part of what they print.
#[test]
fn the_printed_source_makes_the_same_draws() {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    if Command::new(&cargo).arg("--version").output().is_err() {
        return;
    }
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (root, source) = (scratch.join("generated"), scratch.join("generated/src"));
    fs::create_dir_all(&source).unwrap();
    let manifest = format!(
        "[package]\nname = \"generated\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\nskellam = {{ path = {:?} }}\n\n\
         [profile.test]\nopt-level = 3\noverflow-checks = true\ndebug-assertions = true\n\n[profile.test.package.generated]\nopt-level = 0\n\n[workspace]\n",
        workspace.join("runtime")
    );
    fs::write(root.join("Cargo.toml"), manifest).unwrap();
    fs::copy(workspace.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
    let modules = [
        ("matrix", Matrix::generated()),
        ("cp", Cp3::generated()),
        ("tucker", Tucker::generated()),
        ("background", Background::generated()),
        ("batch", Batch::generated()),
        ("long", Cp4::generated()),
        ("mixed", Mixed::generated()),
        ("offset", Offset::generated()),
        ("pairs", Pairs::generated()),
        ("hierarchy", Hierarchy::generated()),
        ("network", Network::generated()),
    ];
    for (name, text) in modules {
        fs::write(source.join(name).with_extension("rs"), text).unwrap();
    }
    fs::write(source.join("driver.rs"), include_str!("driver.rs")).unwrap();
    // Not one name of the source is missing from what it imports itself, and none of it warns.
    let mut main =
        String::from("#![deny(warnings)]\n#![allow(dead_code, reason = \"models are driven in part\")]\nmod driver;\n");
    modules
        .iter()
        .for_each(|(name, _)| main.push_str(&format!("mod {name};\n")));
    main.push_str(
        "use background::Background;\nuse cp::Cp3;\nuse matrix::Matrix;\nuse tucker::Tucker;\n\
         fn main() {\n    driver::lines().iter().for_each(|line| println!(\"{line}\"));\n}\n",
    );
    fs::write(source.join("main.rs"), main).unwrap();
    let output = Command::new(&cargo)
        .args(["run", "--offline", "--quiet", "--profile", "test"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", scratch.parent().unwrap())
        .env_remove("RUSTFLAGS")
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let here = driver::lines();
    assert_eq!(printed.lines().collect::<Vec<_>>(), here);
}
