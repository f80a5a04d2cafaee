//! The clauses of `where` compare indices of one set, and leave some cells.

use crate::diagnostics::{Diagnostic, Sink};
use crate::resolve::{Count, Guard, Model, SetId, VarId, precedes};

pub(super) fn check(model: &Model, sink: &mut Sink) {
    for count in &model.counts {
        for (at, guard) in count.guards.iter().enumerate() {
            clause(model, count, guard, sink);
            // One circle is one mistake, however many clauses follow.
            if guard.less && guard.left != guard.right && precedes(&count.guards[..at], guard.right, guard.left) {
                circle(count, guard, sink);
                break;
            }
        }
    }
}

fn circle(count: &Count, guard: &Guard, sink: &mut Sink) {
    let [left, right] = [guard.left, guard.right].map(|v| &count.vars[v.0].name);
    sink.push(
        Diagnostic::new(guard.span, format!("`{left} < {right}` leaves no cell"))
            .why(format!(
                "the clauses before it already say that `{right}` is below `{left}`"
            ))
            .help(format!("remove `{left} < {right}`")),
    );
}

fn clause(model: &Model, count: &Count, guard: &Guard, sink: &mut Sink) {
    let name = |var: VarId| &count.vars[var.0].name;
    let set = |var: VarId| count.vars[var.0].set;
    let (left, right) = (name(guard.left), name(guard.right));
    let sign = if guard.less { "<" } else { "!=" };
    if guard.left == guard.right {
        sink.push(
            Diagnostic::new(guard.span, format!("`{left} {sign} {right}` leaves no cell"))
                .why("an index is never different from itself, nor below itself")
                .help(format!("compare two indices of one set: `{left} {sign} j`")),
        );
    } else if set(guard.left) != set(guard.right)
        && set(guard.left) != SetId::UNKNOWN
        && set(guard.right) != SetId::UNKNOWN
    {
        sink.push(
            Diagnostic::new(guard.span, format!("`{left}` and `{right}` run over different index sets"))
                .why(format!(
                    "index sets are types: `{left}` runs over `{}`, `{right}` over `{}`, and values of the two are not comparable",
                    model.set(set(guard.left)),
                    model.set(set(guard.right))
                ))
                .help(format!("remove `{left} {sign} {right}`")),
        );
    }
}
