# SPDX-License-Identifier: BSD-3-Clause
# What the comments of the headers lack, and what they name that is not there.
package Check;
use strict;
use warnings;
use Comment;
use Pages;

# problems_of BOOK: sentences.
sub problems_of {
    my ($book) = @_;
    my @problems;
    for my $header (@{ $book->{headers} }) {
        my $say = sub { push @problems, "$header->{file}: $_[0]" };
        $say->('no opening comment') unless $header->{opening};
        $say->("a comment that belongs to nothing: " . (split /\n/, $_)[0]) for @{ $header->{floating} || [] };
        $say->($_) for unknown_names($header->{opening} // '', $book);
        for my $section (@{ $header->{sections} }) {
            $say->($_) for unknown_names($section->{text}, $book);
            for my $group (@{ $section->{groups} }) {
                $say->("$group->{name}: $_") for problems_of_group($group, $book);
            }
        }
    }
    return @problems;
}

sub problems_of_group {
    my ($group, $book) = @_;
    my @texts = map { ($_->{note} // '', map { $_->{comment} } @{ $_->{members} || [] }) } @{ $group->{declarations} };
    my @problems;
    if (!defined $group->{comment} || $group->{comment} !~ /\w/) {
        push @problems, 'no comment';
    } elsif (Pages::summary_of($group) eq '') {
        push @problems, 'the comment does not begin with a sentence that says what it is';
    }
    push @problems, map { "'$_' is no parameter or member" } unknown_words($group);
    push @problems, unknown_names(join("\n", $group->{comment} // '', @texts), $book);
    return @problems;
}

# Words in the column of parameters that are none.
sub unknown_words {
    my ($group) = @_;
    my $words = Pages::words_of($group);
    my @lists = grep { $_->{kind} eq 'list' && !$_->{indent} } @{ Comment::blocks($group->{comment} // '', $words) };
    my @tags = grep { /^\w+$/ } map { split /, /, $_->{tag} } grep { $_->{tag} !~ /"|,.* / || $_->{tag} =~ /^\w+(, \w+)+$/ } map { @{ $_->{items} } } @lists;
    return grep { !$words->{$_} && !Comment::is_label($_) && !/^COHORT_/ } @tags;
}

# Statuses that codes.h has not, and names of functions and types that no header declares.
sub unknown_names {
    my ($text, $book) = @_;
    my %unknown;
    for my $name ($text =~ /\b((?:cohort|COHORT)_\w*[A-Za-z0-9])\b/g) {
        next if $book->{names}{$name} || $name =~ /^cohort_plugin_entry_/;
        $unknown{$name} = 1 if $name =~ /^cohort_|^COHORT_E/;
    }
    return map { "$_ is declared nowhere" } sort keys %unknown;
}

1;
