//! Tables as pandas, R, Excel, igraph and networkx write them: read as they are meant, or refused, and never a line charged for a user.

use super::*;

/// Files, and below each what it is by some flags: its sizes, its counts row-major, and its rows where these are users with names; or why it is
/// refused.
///
/// Of cells, user 0 has items 0 and 2, user 1 item 1 and user 2 item 0, or Anna, Ben and Cleo milk, tea and bread.
const TABLES: &str = r#"
# pandas, `to_csv`: a frame of cells, with its index and without, with the header and without.
a.csv: ,user,item,count\n0,0,0,3\n1,0,2,1\n2,1,1,4\n3,2,0,5\n
-> 3,3: 3 0 1 0 4 0 5 0 0
a.csv: user,item,count\n0,0,3\n0,2,1\n1,1,4\n2,0,5\n
-> 3,3: 3 0 1 0 4 0 5 0 0
a.csv: 0,0,0,3\n1,0,2,1\n2,1,1,4\n3,2,0,5\n
-> refused: nothing says what a line of
--rows cells -> refused: it may be the number of the line
# A frame that was sorted, or of which lines were taken out.
a.csv: 7,0,0,3\n1,0,2,1\n12,1,1,4\n3,2,0,5\n
--rows cells -> refused: it may be the number of the line
a.csv: 0,0,3\n0,2,1\n1,1,4\n2,0,5\n
-> refused: nothing says what a line of
--rows cells -> 3,3: 3 0 1 0 4 0 5 0 0
# Written and read again, and with the index as a column.
a.csv: ,Unnamed: 0,user,item,count\n0,0,0,0,3\n1,1,0,2,1\n2,2,1,1,4\n3,3,2,0,5\n
-> refused: it may be the number of the line
a.csv: index,user,item,count\n0,0,0,3\n1,0,2,1\n2,1,1,4\n3,2,0,5\n
-> refused: it may be the number of the line
a.csv: user,item,count\n0,0,3.0\n0,2,1.0\n1,1,4.0\n2,0,5.0\n
-> 3,3: 3 0 1 0 4 0 5 0 0
a.tsv: user\titem\tcount\n0\t0\t3\n0\t2\t1\n1\t1\t4\n2\t0\t5\n
-> 3,3: 3 0 1 0 4 0 5 0 0
# Names.
a.csv: ,user,item,count\n0,anna,milk,3\n1,anna,tea,1\n2,ben,bread,4\n3,cleo,milk,5\n
-> 3,3: 0 3 1 4 0 0 0 5 0, rows anna ben cleo
a.csv: "user","item","n"\r\n"anna","milk","3"\r\n"anna","tea","1"\r\n"ben","bread","4"\r\n"cleo","milk","5"\r\n
-> 3,3: 0 3 1 4 0 0 0 5 0, rows anna ben cleo
a.csv: user,item,count\nanna,milk,3\n7,tea,1\n
-> refused: is no name, and this column began with one
a.csv: user,item,count\n10,a,3\n9,b,1\n10,b,2\n
--names -> 2,2: 3 2 0 1, rows 10 9
# `groupby(..).size()` without a name.
a.csv: user,item,0\nanna,milk,1\nanna,tea,1\n
-> refused: nothing says what a line of
--rows cells -> refused: say which (`ReadOptions::header`; `--header yes` or `no`)
--rows cells --header yes -> 1,2: 1 1, rows anna
# `melt`, which has every cell.
a.csv: user,variable,value\n0,0,3\n1,0,0\n0,1,0\n1,1,4\n0,2,1\n1,2,0\n
-> 2,3: 3 0 1 0 4 0
# Wide tables: with the index, without, with columns that are numbers, pivots and cross tables.
a.csv: ,a,b,c\n0,3,0,1\n1,0,4,0\n
-> refused: nothing says what a line of
--rows counts -> refused: say that it has the names of rows (`named-counts`)
--rows named-counts -> 2,3: 3 0 1 0 4 0
a.csv: ,0,1,2\n0,3,0,1\n1,0,4,0\n
--rows named-counts -> 2,3: 3 0 1 0 4 0
a.csv: a,b,c\n3,0,1\n0,4,0\n
-> refused: nothing says what a line of
--rows counts -> 2,3: 3 0 1 0 4 0
a.csv: 0,1,2\n3,0,1\n0,4,0\n
--rows counts -> refused: say which (`ReadOptions::header`; `--header yes` or `no`)
--rows counts --header yes -> 2,3: 3 0 1 0 4 0
a.csv: user,0,1,2\n0,3.0,0.0,1.0\n1,0.0,4.0,0.0\n
-> refused: nothing says what a line of
--rows named-counts -> refused: say which (`ReadOptions::header`; `--header yes` or `no`)
a.csv: user,bread,milk,tea\nanna,0,3,1\nben,4,0,0\ncleo,0,5,0\n
-> refused: nothing says what a line of
--rows named-counts -> 3,3: 0 3 1 4 0 0 0 5 0, rows anna ben cleo
a.csv: user,bread,milk\nanna,0,3\nben,4,0\nanna,0,5\n
--rows named-counts -> refused: has the name of an earlier row
a.csv: user,bread,All\nanna,3,3\nAll,3,3\n
--rows named-counts -> refused: the name `All` is that of a sum
a.csv: user,bread,milk\nanna,3,1\nAll,3,1\n
--rows named-counts -> refused: the name `All` is that of a sum
# A pivot that has nothing where there is no cell.
a.csv: ,a,b\n0,3.0,\n1,,4.0\n
--rows named-counts -> refused: `` is not a count
# NumPy, `savetxt`: a table without a header.
a.csv: 3,0,0\n0,4,0\n
-> refused: nothing says what a line of
--rows counts -> 2,3: 3 0 0 0 4 0
# R: `write.csv` of a frame, of a table, `write.table` with one name fewer than columns, and without names.
a.csv: "","user","item","n"\n"1",0,0,3\n"2",0,2,1\n"3",1,1,4\n"4",2,0,5\n
-> 3,3: 3 0 1 0 4 0 5 0 0
a.csv: "","Var1","Var2","Freq"\n"1","anna","tea",1\n"2","anna","milk",3\n"3","ben","tea",0\n"4","ben","milk",2\n
-> 2,2: 3 1 2 0, rows anna ben
a.txt: "user" "item" "n"\n"1" 0 0 3\n"2" 0 2 1\n"3" 1 1 4\n"4" 2 0 5\n
-> 3,3: 3 0 1 0 4 0 5 0 0
a.txt: "a" "b" "c"\n"1" 3 0 1\n"2" 0 4 0\n
-> refused: nothing says what a line of
--rows named-counts -> 2,3: 3 0 1 0 4 0
a.csv: "","a","b"\n"1",0,3\n"2",1,4\n
-> refused: nothing says what a line of
# Excel: semicolons, a mark, empty columns at the end, a title, decimal commas, a sum.
a.csv: \u{feff}user;item;count\r\n0;0;3\r\n0;2;1\r\n1;1;4\r\n2;0;5\r\n
-> 3,3: 3 0 1 0 4 0 5 0 0
a.csv: user,item,count,\n0,0,3,\n0,2,1,\n
-> refused: has no name for its last column
a.csv: user;item;count\n0;0;3,0\n0;2;1,0\n
-> refused: `3,0` is not a count
a.csv: Sales 2024;;\nuser;item;count\n0;0;3\n
-> refused: has no name for its last column
a.csv: user;item;count\nanna;tea;3\nTotal;tea;3\n
-> refused: the name `Total` is that of a sum
a.csv: sep=;\nuser;item;count\n0;0;3\n
-> refused: has no name for its last column
# Edges: igraph's `as_data_frame`, pandas, networkx with weights, without, with attributes, and its matrix.
a.csv: "from","to","weight"\n"anna","ben",3\n"ben","cleo",1\n"ben","anna",2\n
-> 2,3: 0 3 0 2 0 1, rows anna ben
a.csv: ,source,target,weight\n0,anna,ben,3\n1,ben,cleo,1\n2,ben,anna,2\n
-> 2,3: 0 3 0 2 0 1, rows anna ben
a.csv: u,i\n0,0\n0,2\n1,1\n2,0\n
-> refused: nothing says what a line of
--rows events -> 3,3: 1 0 1 0 1 0 1 0 0
a.csv: ,u,i\n0,0,0\n1,0,2\n2,1,1\n3,2,0\n
-> refused: nothing says what a line of
--rows events -> 3,3: 1 0 1 0 1 0 1 0 0
a.csv: u,i\n0,0\n0,2\n0,0\n
--rows events -> refused: or ask for the sum (`ReadOptions::add_up`; `--add-up`)
--rows events --add-up -> 1,3: 2 0 1
a.txt: anna ben 3\nben cleo 1\nben anna 2\n
-> refused: nothing says what a line of
--rows cells -> 2,3: 0 3 0 2 0 1, rows anna ben
a.txt: 0 1 3\n1\t2  1\n1 0 2\n
--rows cells -> 2,3: 0 3 0 2 0 1
a.txt: anna ben\nben cleo\n
--rows events -> refused: say which (`ReadOptions::header`; `--header yes` or `no`)
a.txt: anna ben\nben cleo\nben anna\n
--rows events --header no -> 2,3: 0 1 0 1 0 1, rows anna ben
a.txt: anna ben {'weight': 3}\nben cleo {'weight': 1}\n
-> refused: write the edges with `networkx.write_weighted_edgelist`
a.csv: ,anna,ben,cleo\nanna,0,3,0\nben,3,0,1\ncleo,0,1,0\n
--rows named-counts -> 3,3: 0 3 0 3 0 1 0 1 0, rows anna ben cleo
# The sizes of all modes say that the first is one.
a.csv: index,user,count\n0,0,3\n1,1,1\n2,0,4\n
--shape 3,2 -> 3,2: 3 0 0 1 4 0
# Written by hand.
a.csv: user,count\nanna,2\nben,1\n
-> 2: 2 1, rows anna ben
"#;

/// So little noise that none is drawn, in a whole test, but once in 10^15.
const EXACT: &str = "--n 1 --epsilon 40";

#[test]
fn a_table_is_read_as_it_is_meant_or_refused() {
    let scratch = Scratch::new();
    let (mut input, mut tables) = (String::new(), 0);
    for line in TABLES.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let Some((flags, right)) = line.split_once("-> ") else {
            let (name, text) = line.split_once(": ").unwrap();
            let text = text.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
            input = scratch.write(name, &text.replace("\\u{feff}", "\u{feff}"));
            continue;
        };
        tables += 1;
        let [out, out_with, ledger] = ["plain", "ledger", "json"].map(|kind| scratch.path(&format!("{tables}.{kind}")));
        let arguments = format!("{input} {EXACT} {flags}");
        let account = format!("{arguments} --ledger {} --begin-ledger --cap 100", ledger.display());
        if let Some(words) = right.strip_prefix("refused: ") {
            for arguments in [&arguments, &account] {
                let error = refused(&scratch, arguments);
                let of_file = error.starts_with(&input) && !error.contains("the file changed");
                assert!(of_file && error.contains(words), "{line}: {error}");
            }
            assert!(!ledger.exists(), "{line}");
            continue;
        }
        let (cells, users) = right.split_once(", rows ").unwrap_or((right, ""));
        for (arguments, out) in [(&arguments, &out), (&account, &out_with)] {
            let folder = run(arguments, out).unwrap_or_else(|error| panic!("{line}: {error}"));
            let released = folder.whole::<TwoSidedGeometric>().unwrap();
            let written = |numbers: &[i64]| numbers.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
            let sizes: Vec<String> = folder.shape().iter().map(usize::to_string).collect();
            let found = format!("{}: {}", sizes.join(","), written(released.values().unwrap()));
            assert_eq!(found, cells, "{line}");
        }
        // Every user is charged once, and by name where there are names.
        let (_, account) = Ledger::read(&ledger).unwrap();
        assert_eq!(
            account.num_rows().to_string(),
            cells.split([',', ':']).next().unwrap(),
            "{line}"
        );
        assert_eq!(account.names().is_some(), !users.is_empty(), "{line}");
        assert_eq!(account.spent().unwrap().to_string(), "40", "{line}");
    }
    assert!(tables >= 60);
}
