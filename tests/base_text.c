/* SPDX-License-Identifier: BSD-3-Clause */
/* Texts in bounded room, and what somebody may have meant. */
#include "config.h"

#include "runtime/base/guess.h"
#include "runtime/base/text.h"
#include "tests/tap.h"

/* ------------------------------------------------------------------ room */

static void test_no_room(void)
{
    char room[2] = "xy";
    cohort_text text = cohort_text_begin(room, 1);
    is_text(room, "", "a text begins empty");
    cohort_text_add(&text, "%d", 12345);
    cohort_text_add_item(&text, ", ", "%s", "abc");
    ok(room[0] == '\0' && room[1] == 'y' && text.length == 0,
       "one byte has room for the end alone");
}

static void test_cut(void)
{
    char room[8] = "xxxxxxx";
    cohort_text text = cohort_text_begin(room, 6);
    cohort_text_add(&text, "%s", "abcde");
    is_text(room, "abcde", "what fits to the last byte is whole");
    cohort_text_add(&text, "%s", "f");
    cohort_text_add(&text, "%s", "");
    cohort_text_add_item(&text, ", ", "g");
    ok(strcmp(room, "abcde") == 0 && room[6] == 'x' && text.length == 5, "and nothing comes after");
    text = cohort_text_begin(room, 6);
    cohort_text_add(&text, "%s", "ab");
    cohort_text_add(&text, "%s", "cdefgh");
    ok(strcmp(room, "abcde") == 0 && room[6] == 'x' && text.length == 5,
       "what does not fit is cut");
}

static void test_list(void)
{
    char room[64];
    cohort_text text = cohort_text_begin(room, sizeof room);
    for (int i = 0; i < 3; i++)
        cohort_text_add_item(&text, " x ", "%d", i);
    is_text(room, "0 x 1 x 2", "separators stand between items");
    text = cohort_text_begin(room, sizeof room);
    cohort_text_add_item(&text, "%s%n", "%s", "a");
    cohort_text_add_item(&text, "%s%n", "%s", "b%d");
    is_text(room, "a%s%nb%d", "a separator is no format");
}

static void test_names(void)
{
    char room[16];
    cohort_text text = cohort_text_begin(room, sizeof room);
    ok(!cohort_text_add_name(&text, ", ", "a name of many letters"), "a long name has no room");
    is_text(room, "...", "and dots stand for it");
    text = cohort_text_begin(room, sizeof room);
    ok(cohort_text_add_name(&text, ", ", "abc") && cohort_text_add_name(&text, ", ", "de"),
       "short ones have room");
    ok(!cohort_text_add_name(&text, ", ", "fg"), "until they and the dots fill it");
    is_text(room, "abc, de, ...", "which are whole");
}

/* ------------------------------------------------------------------ guesses */

static const char *guessed(const char *name, bool prefers_later, const char *const candidates[])
{
    cohort_guess guess = { .name = name, .length = strlen(name), .prefers_later = prefers_later };
    for (int i = 0; candidates[i] != NULL; i++)
        cohort_guess_consider(&guess, candidates[i]);
    return guess.best != NULL ? guess.best : "nothing";
}

static void test_guesses(void)
{
    static const char long_name[] = "a_name_of_more_than_thirty_two_letters";
    static const char *const words[] = { "", "float", "double", "row0", "row1", long_name, NULL };
    is_text(guessed("", false, words), "nothing", "nobody meant anything by nothing");
    is_text(guessed("xyz", false, words), "nothing", "nor by what is far from all");
    is_text(guessed("fl", false, words), "nothing", "nor by half a word");
    is_text(guessed("a_name_of_more_than_thirty_two_letter", false, words), "nothing",
            "long names are not compared");
    is_text(guessed("flaot", false, words), "float", "two letters may be swapped");
    is_text(guessed("doubel", false, words), "double", "at the end as well");
    is_text(guessed("row2", false, words), "row0", "of equally near ones the first is meant");
    is_text(guessed("row2", true, words), "row1", "or the last");
}

static void test_part_of_a_text(void)
{
    cohort_guess guess = { .name = "flota x[n]", .length = 5 };
    is_text(cohort_guess_text(&guess), "", "without a candidate there is nothing to say");
    cohort_guess_consider(&guess, "float");
    is_text(cohort_guess_text(&guess), "; did you mean 'float'?",
            "the unknown name may be a part of a text");
}

int main(void)
{
    test_no_room();
    test_cut();
    test_list();
    test_names();
    test_guesses();
    test_part_of_a_text();
    return tap_done();
}
