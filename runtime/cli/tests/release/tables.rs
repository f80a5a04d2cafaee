//! Tables as pandas, R, Excel, igraph and networkx write them: read as they are meant, or refused, and never a line charged for a user.

use skellam::counts::ReadError;

use super::*;

/// What a file is: sizes, counts row-major, and the names of rows where users have names.
type Right = (&'static [usize], &'static [i64], &'static str);

/// A text, flags, and what it is or why it is refused.
struct Table(&'static str, &'static str, &'static str, Result<Right, &'static str>);

/// User 0 has items 0 and 2, user 1 item 1, user 2 item 0.
const LONG: Right = (&[3, 3], &[3, 0, 1, 0, 4, 0, 5, 0, 0], "");
/// The same of people and goods, in alphabetical order.
const NAMED: Right = (&[3, 3], &[0, 3, 1, 4, 0, 0, 0, 5, 0], "anna ben cleo");
/// Two rows of a table of three items.
const WIDE: Right = (&[2, 3], &[3, 0, 1, 0, 4, 0], "");
const NOTHING_SAYS: &str = "nothing says what a line of";
const NUMBERS_LINES: &str = "it may be the number of the line";
const HEADER: &str = "say which (`ReadOptions::header`; `--header yes` or `no`)";

const TABLES: &[Table] = &[
    // pandas, `to_csv`: a frame of cells, with its index and without, with the header and without.
    Table(
        "a.csv",
        ",user,item,count\n0,0,0,3\n1,0,2,1\n2,1,1,4\n3,2,0,5\n",
        "",
        Ok(LONG),
    ),
    Table("a.csv", "user,item,count\n0,0,3\n0,2,1\n1,1,4\n2,0,5\n", "", Ok(LONG)),
    Table("a.csv", "0,0,0,3\n1,0,2,1\n2,1,1,4\n3,2,0,5\n", "", Err(NOTHING_SAYS)),
    Table(
        "a.csv",
        "0,0,0,3\n1,0,2,1\n2,1,1,4\n3,2,0,5\n",
        "--rows cells",
        Err(NUMBERS_LINES),
    ),
    // A frame that was sorted, or of which lines were taken out.
    Table(
        "a.csv",
        "7,0,0,3\n1,0,2,1\n12,1,1,4\n3,2,0,5\n",
        "--rows cells",
        Err(NUMBERS_LINES),
    ),
    Table("a.csv", "0,0,3\n0,2,1\n1,1,4\n2,0,5\n", "", Err(NOTHING_SAYS)),
    Table("a.csv", "0,0,3\n0,2,1\n1,1,4\n2,0,5\n", "--rows cells", Ok(LONG)),
    // Written and read again, and with the index as a column.
    Table(
        "a.csv",
        ",Unnamed: 0,user,item,count\n0,0,0,0,3\n1,1,0,2,1\n2,2,1,1,4\n3,3,2,0,5\n",
        "",
        Err(NUMBERS_LINES),
    ),
    Table(
        "a.csv",
        "index,user,item,count\n0,0,0,3\n1,0,2,1\n2,1,1,4\n3,2,0,5\n",
        "",
        Err(NUMBERS_LINES),
    ),
    Table(
        "a.csv",
        "user,item,count\n0,0,3.0\n0,2,1.0\n1,1,4.0\n2,0,5.0\n",
        "",
        Ok(LONG),
    ),
    Table(
        "a.tsv",
        "user\titem\tcount\n0\t0\t3\n0\t2\t1\n1\t1\t4\n2\t0\t5\n",
        "",
        Ok(LONG),
    ),
    // Names.
    Table(
        "a.csv",
        ",user,item,count\n0,anna,milk,3\n1,anna,tea,1\n2,ben,bread,4\n3,cleo,milk,5\n",
        "",
        Ok(NAMED),
    ),
    Table(
        "a.csv",
        "\"user\",\"item\",\"n\"\r\n\"anna\",\"milk\",\"3\"\r\n\"anna\",\"tea\",\"1\"\r\n\"ben\",\"bread\",\"4\"\r\n\"cleo\",\"milk\",\"5\"\r\n",
        "",
        Ok(NAMED),
    ),
    Table(
        "a.csv",
        "user,item,count\nanna,milk,3\n7,tea,1\n",
        "",
        Err("is no name, and this column began with one"),
    ),
    Table(
        "a.csv",
        "user,item,count\n10,a,3\n9,b,1\n10,b,2\n",
        "--names",
        Ok((&[2, 2], &[3, 2, 0, 1], "10 9")),
    ),
    // `groupby(..).size()` without a name.
    Table("a.csv", "user,item,0\nanna,milk,1\nanna,tea,1\n", "", Err(NOTHING_SAYS)),
    Table(
        "a.csv",
        "user,item,0\nanna,milk,1\nanna,tea,1\n",
        "--rows cells",
        Err(HEADER),
    ),
    Table(
        "a.csv",
        "user,item,0\nanna,milk,1\nanna,tea,1\n",
        "--rows cells --header yes",
        Ok((&[1, 2], &[1, 1], "anna")),
    ),
    // `melt`, which has every cell.
    Table(
        "a.csv",
        "user,variable,value\n0,0,3\n1,0,0\n0,1,0\n1,1,4\n0,2,1\n1,2,0\n",
        "",
        Ok(WIDE),
    ),
    // Wide tables: with the index, without, with columns that are numbers, pivots and cross tables.
    Table("a.csv", ",a,b,c\n0,3,0,1\n1,0,4,0\n", "", Err(NOTHING_SAYS)),
    Table(
        "a.csv",
        ",a,b,c\n0,3,0,1\n1,0,4,0\n",
        "--rows counts",
        Err("say that it has the names of rows (`named-counts`)"),
    ),
    Table("a.csv", ",a,b,c\n0,3,0,1\n1,0,4,0\n", "--rows named-counts", Ok(WIDE)),
    Table("a.csv", ",0,1,2\n0,3,0,1\n1,0,4,0\n", "--rows named-counts", Ok(WIDE)),
    Table("a.csv", "a,b,c\n3,0,1\n0,4,0\n", "", Err(NOTHING_SAYS)),
    Table("a.csv", "a,b,c\n3,0,1\n0,4,0\n", "--rows counts", Ok(WIDE)),
    Table("a.csv", "0,1,2\n3,0,1\n0,4,0\n", "--rows counts", Err(HEADER)),
    Table("a.csv", "0,1,2\n3,0,1\n0,4,0\n", "--rows counts --header yes", Ok(WIDE)),
    Table(
        "a.csv",
        "user,0,1,2\n0,3.0,0.0,1.0\n1,0.0,4.0,0.0\n",
        "",
        Err(NOTHING_SAYS),
    ),
    Table(
        "a.csv",
        "user,0,1,2\n0,3.0,0.0,1.0\n1,0.0,4.0,0.0\n",
        "--rows named-counts",
        Err(HEADER),
    ),
    Table(
        "a.csv",
        "user,bread,milk,tea\nanna,0,3,1\nben,4,0,0\ncleo,0,5,0\n",
        "",
        Err(NOTHING_SAYS),
    ),
    Table(
        "a.csv",
        "user,bread,milk,tea\nanna,0,3,1\nben,4,0,0\ncleo,0,5,0\n",
        "--rows named-counts",
        Ok(NAMED),
    ),
    Table(
        "a.csv",
        "user,bread,milk\nanna,0,3\nben,4,0\nanna,0,5\n",
        "--rows named-counts",
        Err("has the name of an earlier row"),
    ),
    Table(
        "a.csv",
        "user,bread,All\nanna,3,3\nAll,3,3\n",
        "--rows named-counts",
        Err("the name `All` is that of a sum"),
    ),
    Table(
        "a.csv",
        "user,bread,milk\nanna,3,1\nAll,3,1\n",
        "--rows named-counts",
        Err("the name `All` is that of a sum"),
    ),
    // A pivot that has nothing where there is no cell.
    Table(
        "a.csv",
        ",a,b\n0,3.0,\n1,,4.0\n",
        "--rows named-counts",
        Err("`` is not a count"),
    ),
    // NumPy, `savetxt`: a table without a header.
    Table("a.csv", "3,0,0\n0,4,0\n", "", Err(NOTHING_SAYS)),
    Table(
        "a.csv",
        "3,0,0\n0,4,0\n",
        "--rows counts",
        Ok((&[2, 3], &[3, 0, 0, 0, 4, 0], "")),
    ),
    // R: `write.csv` of a frame, of a table, `write.table` with one name fewer than columns, and without names.
    Table(
        "a.csv",
        "\"\",\"user\",\"item\",\"n\"\n\"1\",0,0,3\n\"2\",0,2,1\n\"3\",1,1,4\n\"4\",2,0,5\n",
        "",
        Ok(LONG),
    ),
    Table(
        "a.csv",
        "\"\",\"Var1\",\"Var2\",\"Freq\"\n\"1\",\"anna\",\"tea\",1\n\"2\",\"anna\",\"milk\",3\n\"3\",\"ben\",\"tea\",0\n\"4\",\"ben\",\"milk\",2\n",
        "",
        Ok((&[2, 2], &[3, 1, 2, 0], "anna ben")),
    ),
    Table(
        "a.txt",
        "\"user\" \"item\" \"n\"\n\"1\" 0 0 3\n\"2\" 0 2 1\n\"3\" 1 1 4\n\"4\" 2 0 5\n",
        "",
        Ok(LONG),
    ),
    Table(
        "a.txt",
        "\"a\" \"b\" \"c\"\n\"1\" 3 0 1\n\"2\" 0 4 0\n",
        "",
        Err(NOTHING_SAYS),
    ),
    Table(
        "a.txt",
        "\"a\" \"b\" \"c\"\n\"1\" 3 0 1\n\"2\" 0 4 0\n",
        "--rows named-counts",
        Ok(WIDE),
    ),
    Table(
        "a.csv",
        "\"\",\"a\",\"b\"\n\"1\",0,3\n\"2\",1,4\n",
        "",
        Err(NOTHING_SAYS),
    ),
    // Excel: semicolons, a mark, empty columns at the end, a title, decimal commas, a sum.
    Table(
        "a.csv",
        "\u{feff}user;item;count\r\n0;0;3\r\n0;2;1\r\n1;1;4\r\n2;0;5\r\n",
        "",
        Ok(LONG),
    ),
    Table(
        "a.csv",
        "user,item,count,\n0,0,3,\n0,2,1,\n",
        "",
        Err("has no name for its last column"),
    ),
    Table(
        "a.csv",
        "user;item;count\n0;0;3,0\n0;2;1,0\n",
        "",
        Err("`3,0` is not a count"),
    ),
    Table(
        "a.csv",
        "Sales 2024;;\nuser;item;count\n0;0;3\n",
        "",
        Err("has no name for its last column"),
    ),
    Table(
        "a.csv",
        "user;item;count\nanna;tea;3\nTotal;tea;3\n",
        "",
        Err("the name `Total` is that of a sum"),
    ),
    Table(
        "a.csv",
        "sep=;\nuser;item;count\n0;0;3\n",
        "",
        Err("has no name for its last column"),
    ),
    // Edges: igraph's `as_data_frame`, pandas, networkx with weights, without, with attributes, and its matrix.
    Table(
        "a.csv",
        "\"from\",\"to\",\"weight\"\n\"anna\",\"ben\",3\n\"ben\",\"cleo\",1\n\"ben\",\"anna\",2\n",
        "",
        Ok((&[2, 3], &[0, 3, 0, 2, 0, 1], "anna ben")),
    ),
    Table(
        "a.csv",
        ",source,target,weight\n0,anna,ben,3\n1,ben,cleo,1\n2,ben,anna,2\n",
        "",
        Ok((&[2, 3], &[0, 3, 0, 2, 0, 1], "anna ben")),
    ),
    Table("a.csv", "u,i\n0,0\n0,2\n1,1\n2,0\n", "", Err(NOTHING_SAYS)),
    Table(
        "a.csv",
        "u,i\n0,0\n0,2\n1,1\n2,0\n",
        "--rows events",
        Ok((&[3, 3], &[1, 0, 1, 0, 1, 0, 1, 0, 0], "")),
    ),
    Table("a.csv", ",u,i\n0,0,0\n1,0,2\n2,1,1\n3,2,0\n", "", Err(NOTHING_SAYS)),
    Table(
        "a.csv",
        ",u,i\n0,0,0\n1,0,2\n2,1,1\n3,2,0\n",
        "--rows events",
        Ok((&[3, 3], &[1, 0, 1, 0, 1, 0, 1, 0, 0], "")),
    ),
    Table(
        "a.csv",
        "u,i\n0,0\n0,2\n0,0\n",
        "--rows events",
        Err("or ask for the sum (`ReadOptions::add_up`; `--add-up`)"),
    ),
    Table(
        "a.csv",
        "u,i\n0,0\n0,2\n0,0\n",
        "--rows events --add-up",
        Ok((&[1, 3], &[2, 0, 1], "")),
    ),
    Table("a.txt", "anna ben 3\nben cleo 1\nben anna 2\n", "", Err(NOTHING_SAYS)),
    Table(
        "a.txt",
        "anna ben 3\nben cleo 1\nben anna 2\n",
        "--rows cells",
        Ok((&[2, 3], &[0, 3, 0, 2, 0, 1], "anna ben")),
    ),
    Table(
        "a.txt",
        "0 1 3\n1\t2  1\n1 0 2\n",
        "--rows cells",
        Ok((&[2, 3], &[0, 3, 0, 2, 0, 1], "")),
    ),
    Table("a.txt", "anna ben\nben cleo\n", "--rows events", Err(HEADER)),
    Table(
        "a.txt",
        "anna ben\nben cleo\nben anna\n",
        "--rows events --header no",
        Ok((&[2, 3], &[0, 1, 0, 1, 0, 1], "anna ben")),
    ),
    Table(
        "a.txt",
        "anna ben {'weight': 3}\nben cleo {'weight': 1}\n",
        "",
        Err("write the edges with `networkx.write_weighted_edgelist`"),
    ),
    Table(
        "a.csv",
        ",anna,ben,cleo\nanna,0,3,0\nben,3,0,1\ncleo,0,1,0\n",
        "--rows named-counts",
        Ok((&[3, 3], &[0, 3, 0, 3, 0, 1, 0, 1, 0], "anna ben cleo")),
    ),
    // The sizes of all modes say that the first is one.
    Table(
        "a.csv",
        "index,user,count\n0,0,3\n1,1,1\n2,0,4\n",
        "--shape 3,2",
        Ok((&[3, 2], &[3, 0, 0, 1, 4, 0], "")),
    ),
    // Written by hand.
    Table(
        "a.csv",
        "user,count\nanna,2\nben,1\n",
        "",
        Ok((&[2], &[2, 1], "anna ben")),
    ),
];

/// So little noise that none is drawn, in a whole test, but once in 10^15.
const EXACT: &str = "--n 1 --epsilon 40";

#[test]
fn a_table_is_read_as_it_is_meant_or_refused() {
    assert!(TABLES.len() >= 60);
    let scratch = Scratch::new("tables");
    for (at, Table(name, text, flags, right)) in TABLES.iter().enumerate() {
        let (input, what) = (scratch.write(name, text), format!("{text:?} {flags}"));
        let [out, out_with, ledger] = ["plain", "ledger", "json"].map(|kind| scratch.path(&format!("{at}.{kind}")));
        let arguments = format!("{input} {EXACT} {flags}");
        let account = format!("{arguments} --ledger {} --begin-ledger --cap 100", ledger.display());
        match right {
            Err(words) => {
                for arguments in [&arguments, &account] {
                    let error = refused(&scratch, arguments);
                    let of_file = matches!(&error, PrivatizeError::Counts { source, .. } if !matches!(source, ReadError::Changed));
                    assert!(of_file && error.to_string().contains(words), "{what}: {error}");
                }
                assert!(!ledger.exists(), "{what}");
            }
            Ok((shape, counts, users)) => {
                for (arguments, out) in [(&arguments, &out), (&account, &out_with)] {
                    let folder = run(arguments, out).unwrap_or_else(|error| panic!("{what}: {error}"));
                    let released = folder.whole::<TwoSidedGeometric>().unwrap();
                    assert_eq!(
                        (folder.shape(), released.values().unwrap()),
                        (*shape, *counts),
                        "{what}"
                    );
                }
                // Every user is charged once, and by name where there are names.
                let (_, account) = Ledger::read(&ledger).unwrap();
                assert_eq!(account.num_rows(), shape[0], "{what}");
                assert_eq!(account.names().is_some(), !users.is_empty(), "{what}");
                assert_eq!(account.spent().unwrap().to_string(), "40", "{what}");
            }
        }
    }
}
