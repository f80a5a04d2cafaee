//! From plain text to products.

use std::error::Error;
use std::fmt::{self, Display};

use super::write::SUBSCRIPTS;
use super::{Entry, Factor, Name, Place, Product, Side, Stated};

/// A text that is not a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoFormula {
    /// The text.
    pub text: String,
    /// What should stand somewhere.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Display for NoFormula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "formula `{}`: expected {} at `{}`",
            self.text, self.expected, self.found
        )
    }
}

impl Error for NoFormula {}

type Found<T> = Result<T, NoFormula>;

impl Product {
    /// The products of a sum in plain text. `is_name` tells what is called by a name: `E[..]` and `G[..]` are means where nothing is called
    /// so.
    ///
    /// # Errors
    ///
    /// What stood where something else was expected.
    pub fn read_sum(text: &str, is_name: &dyn Fn(&str) -> bool) -> Result<Vec<Self>, NoFormula> {
        let mut reader = Reader::new(text, is_name);
        let sum = reader.sum()?;
        match reader.rest.is_empty() {
            true => Ok(sum),
            false => Err(reader.expected("the end, or ` + `")),
        }
    }
}

impl Stated {
    /// A statement in plain text.
    ///
    /// # Errors
    ///
    /// What stood where something else was expected.
    pub fn read(text: &str, is_name: &dyn Fn(&str) -> bool) -> Result<Self, NoFormula> {
        let mut reader = Reader::new(text, is_name);
        let of = reader.entry()?;
        reader.want(" ~ ")?;
        let family = reader.run(|letter| !"(, ".contains(letter));
        // The index is one of what has the law: names may have `_` in them.
        let letters = of.at.iter().map(ToString::to_string);
        let is_behind = |letter: &String| {
            family
                .strip_suffix(letter.as_str())
                .is_some_and(|rest| rest.ends_with('_'))
        };
        let along = letters.filter(is_behind).max_by_key(String::len);
        let family = match &along {
            Some(along) => &family[..family.len() - along.len() - 1],
            None => family,
        };
        reader.want("(")?;
        let mut parameters = vec![reader.sum()?];
        while reader.take(", ") {
            parameters.push(reader.sum()?);
        }
        reader.want(")")?;
        if !reader.rest.is_empty() {
            return Err(reader.expected("the end"));
        }
        Ok(Self {
            of,
            family: family.to_owned(),
            along,
            parameters,
        })
    }
}

impl Entry {
    /// An entry in plain text.
    ///
    /// # Errors
    ///
    /// What stood where something else was expected.
    pub fn read(text: &str) -> Result<Self, NoFormula> {
        let mut reader = Reader::new(text, &|_| true);
        let entry = reader.entry()?;
        match reader.rest.is_empty() {
            true => Ok(entry),
            false => Err(reader.expected("the end")),
        }
    }
}

impl Place {
    /// The value of an index as it is printed: `d`, `t-1`, `author[d]`. What is none of these is a letter.
    pub fn of(text: &str) -> Self {
        let mut reader = Reader::new(text, &|_| true);
        let place = reader.place().ok().filter(|_| reader.rest.is_empty());
        place.unwrap_or_else(|| Self::At(text.to_owned(), 0))
    }
}

/// What is still to be read.
struct Reader<'a> {
    is_name: &'a dyn Fn(&str) -> bool,
    whole: &'a str,
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, is_name: &'a dyn Fn(&str) -> bool) -> Self {
        Self {
            is_name,
            whole: text,
            rest: text,
        }
    }

    fn expected(&self, expected: impl Into<String>) -> NoFormula {
        NoFormula {
            text: self.whole.to_owned(),
            expected: expected.into(),
            found: self.rest.to_owned(),
        }
    }

    fn take(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn want(&mut self, text: &str) -> Found<()> {
        match self.take(text) {
            true => Ok(()),
            false => Err(self.expected(format!("`{text}`"))),
        }
    }

    /// As many characters as `is` takes.
    fn run(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|letter| !is(letter)).unwrap_or(self.rest.len());
        let (run, rest) = self.rest.split_at(end);
        self.rest = rest;
        run
    }

    /// A name, with the signs and the numbers of terms, or the primes of an index.
    fn word(&mut self) -> Found<&'a str> {
        let is_mark = |letter| matches!(letter, '_' | '\'' | '⁺' | '⁻' | '₀'..='₉');
        let name = self.run(|letter| letter.is_alphanumeric() || is_mark(letter));
        match name.is_empty() {
            true => Err(self.expected("a name")),
            false => Ok(name),
        }
    }

    fn whole_number(&mut self) -> Found<usize> {
        let number = self.run(|letter| letter.is_ascii_digit()).parse();
        number.map_err(|_| self.expected("a whole number"))
    }

    fn sum(&mut self) -> Found<Vec<Product>> {
        let mut all = vec![self.product()?];
        while self.take(" + ") {
            all.push(self.product()?);
        }
        Ok(all)
    }

    fn product(&mut self) -> Found<Product> {
        let over = self.over()?;
        let factors = self.factors()?;
        Ok(Product { over, factors })
    }

    /// `Σ_v` or `Σ_{d,v}`
    fn over(&mut self) -> Found<Vec<String>> {
        let mut all = Vec::new();
        if !self.take("Σ_") {
            return Ok(all);
        }
        let is_list = self.take("{");
        all.push(self.word()?.to_owned());
        if is_list {
            while self.take(",") {
                all.push(self.word()?.to_owned());
            }
            self.want("}")?;
        }
        self.want(" ")?;
        Ok(all)
    }

    fn factors(&mut self) -> Found<Vec<Factor>> {
        let mut all = vec![self.factor()?];
        while !self.rest.starts_with(" + ") && self.take(" ") {
            all.push(self.factor()?);
        }
        Ok(all)
    }

    fn factor(&mut self) -> Found<Factor> {
        if self.take("[") {
            return self.condition();
        }
        if self.take("|") {
            let set = self.word()?.to_owned();
            self.want("|⁻¹")?;
            return Ok(Factor::PerSize(set));
        }
        if self.rest.starts_with(|first: char| first.is_ascii_digit()) {
            let number = self.run(|letter| letter.is_ascii_digit() || letter == '.').parse();
            return number.map(Factor::Number).map_err(|_| self.expected("a number"));
        }
        for (letter, mean) in [("E", Factor::Mean as fn(_) -> _), ("G", Factor::Geometric)] {
            if !(self.is_name)(letter)
                && self.rest[..]
                    .strip_prefix(letter)
                    .is_some_and(|rest| rest.starts_with('['))
            {
                self.want(letter)?;
                self.want("[")?;
                let of = self.factors()?;
                self.want("]")?;
                return Ok(mean(of));
            }
        }
        let of = Factor::Of(self.entry()?);
        if !self.take("^[") {
            return Ok(of);
        }
        let at = self.place()?;
        let until = self.until()?;
        Ok(Factor::AtFirst {
            of: Box::new(of),
            at,
            until,
        })
    }

    /// `author[d]=a]` or `t<1]`, behind the bracket.
    fn condition(&mut self) -> Found<Factor> {
        let at = self.place()?;
        if !self.rest.starts_with('=') {
            let until = self.until()?;
            return Ok(Factor::First { at, until });
        }
        let Place::In(of) = at else {
            return Err(self.expected("an array of positions before `=`"));
        };
        self.want("=")?;
        let is = self.word()?.to_owned();
        self.want("]")?;
        Ok(Factor::Found { of, is })
    }

    /// `<1]`
    fn until(&mut self) -> Found<usize> {
        self.want("<")?;
        let until = self.whole_number()?;
        self.want("]")?;
        Ok(until)
    }

    fn entry(&mut self) -> Found<Entry> {
        let of = Name::read(self.word()?);
        let at = match self.take("[") {
            true => self.places()?,
            false => Vec::new(),
        };
        Ok(Entry { of, at })
    }

    /// Places behind a bracket, and the one that closes it.
    fn places(&mut self) -> Found<Vec<Place>> {
        let mut all = vec![self.place()?];
        while self.take(",") {
            all.push(self.place()?);
        }
        self.want("]")?;
        Ok(all)
    }

    fn place(&mut self) -> Found<Place> {
        let letter = self.word()?;
        if self.take("[") {
            let (of, at) = (Name::plain(letter), self.places()?);
            return Ok(Place::In(Entry { of, at }));
        }
        let sign = match (self.take("+"), self.take("-")) {
            (true, _) => 1,
            (_, true) => -1,
            _ => 0,
        };
        let by = if sign == 0 { 0 } else { self.whole_number()? as i64 };
        Ok(Place::At(letter.to_owned(), sign * by))
    }
}

impl Name {
    /// A name with its marks: `c⁺₂`.
    fn read(word: &str) -> Self {
        let number = word.trim_start_matches(|letter| !SUBSCRIPTS.contains(&letter));
        let value = |letter| SUBSCRIPTS.iter().position(|digit| *digit == letter);
        let name = &word[..word.len() - number.len()];
        let digits = number.chars().map(value);
        let number = digits.fold(None, |number: Option<usize>, digit| {
            Some(number.unwrap_or(0) * 10 + digit?)
        });
        let side = match () {
            () if name.ends_with('⁺') => Some(Side::Plus),
            () if name.ends_with('⁻') => Some(Side::Minus),
            () => None,
        };
        Self {
            name: name.trim_end_matches(['⁺', '⁻']).to_owned(),
            side,
            number,
        }
    }
}
