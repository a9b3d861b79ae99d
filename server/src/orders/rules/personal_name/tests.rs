use super::*;

fn equal() -> NameMatch {
    NameMatch::Equal(Equal::between(&1, &1).expect("equal"))
}

fn compare(typed: &str, read: &str, is_cut: bool) -> NameMatch {
    PersonalName::read(typed).expect("a name").compare(read, is_cut)
}

#[test]
fn a_letter_with_several_spellings_matches_each() {
    for (typed, read) in [
        ("Müller", "MUELLER"),
        ("Müller", "MULLER"),
        ("Strauß", "STRAUSS"),
        ("Øyvind Åse", "OEYVIND AASE"),
        ("O’Connor-Smith", "OCONNOR SMITH"),
        ("Núñez", "NUNEZ"),
        ("Иванов", "IVANOV"),
    ] {
        assert_eq!(compare(typed, read, false), equal(), "{typed} {read}");
    }
}

#[test]
fn another_letter_is_never_equal() {
    assert_eq!(compare("Emilie Rose", "EMILY ROSE", false), NameMatch::No);
    assert_eq!(compare("Clarke", "CLARK", false), NameMatch::No);
    assert_eq!(compare("van Dĳk", "VAN DIK", false), NameMatch::No);
    assert_eq!(compare("van Dĳk", "VAN DIJK", false), equal());
    assert_eq!(compare("Anna Maria", "ANNAMARIA", false), NameMatch::Spaces);
    assert_eq!(compare("王小明", "WANG XIAOMING", false), NameMatch::OtherScript);
}

#[test]
fn a_k_that_may_be_a_filler_is_neither_equal_nor_another_letter() {
    assert_eq!(compare("Jürgen", "JUERGENK", false), NameMatch::Filler);
    assert_eq!(compare("Emily Rose", "EMILYKROSE", false), NameMatch::Filler);
    assert_eq!(compare("Patrick", "PATRIC", false), NameMatch::Filler);
    assert_eq!(compare("Patrick", "PATRICE", false), NameMatch::No);
    assert_eq!(compare("Kim", "TIM", false), NameMatch::No);
}

#[test]
fn a_full_field_is_never_equal_because_the_name_may_go_on() {
    assert_eq!(compare("Anna Maria Theodora", "ANNA MARIA THEO", true), NameMatch::CutOff);
    assert_eq!(compare("Anna Maria Theodora", "ANNA MARIA THEO", false), NameMatch::No);
    assert_eq!(compare("Anna", "ANNA", true), NameMatch::CutOff);
    assert_eq!(compare("Anna Berta", "ANNA MARIA", true), NameMatch::No);
}
