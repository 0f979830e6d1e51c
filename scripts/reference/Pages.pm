# SPDX-License-Identifier: BSD-3-Clause
# Headers as pages: one for each group of declarations, named by the first of them that a program uses, and one for each
# header. What both formats share stands here: names, summaries, and which part of a comment belongs where.
package Pages;
use strict;
use warnings;
use Comment;

# pages_of HEADERS: { headers, pages, names => { NAME => { page, kind, declaration } } }
sub pages_of {
    my (@headers) = @_;
    my $book = { headers => [], pages => [], names => {} };
    my %umbrella = included_by('cohort.h', { map { $_->{file} => $_ } @headers });
    for my $header (@headers) {
        $header->{include} = $umbrella{ $header->{file} } ? 'cohort.h' : $header->{file};
        join_groups($header);
        my @groups = map { @{ $_->{groups} } } @{ $header->{sections} };
        next unless @groups || $header->{file} eq 'cohort.h';
        $header->{name} = "cohort_$header->{file}";
        push @{ $book->{headers} }, $header;
        add_group($book, $_) for @groups;
    }
    name_handles($book);
    return $book;
}

sub included_by {
    my ($file, $headers, %seen) = @_;
    my @left = ($file);
    while (defined(my $next = shift @left)) {
        push @left, @{ $headers->{$next}{includes} } if !$seen{$next}++ && $headers->{$next};
    }
    return %seen;
}

# A macro without a comment of its own, which makes a call of a function, belongs to that function; a handle without one
# to its header.
sub join_groups {
    my ($header) = @_;
    my %owner;
    for my $section (@{ $header->{sections} }) {
        for my $group (@{ $section->{groups} }) {
            $owner{ $_->{name} } = $group for grep { $_->{kind} eq 'function' } @{ $group->{declarations} };
        }
    }
    for my $section (@{ $header->{sections} }) {
        my @kept;
        for my $group (@{ $section->{groups} }) {
            my @own;
            for my $one (@{ $group->{declarations} }) {
                my ($call) = ($one->{body} // '') =~ /^(cohort_\w+)\(/;
                if (!defined $group->{comment} && defined $call && $owner{$call} && $owner{$call} != $group) {
                    push @{ $owner{$call}{declarations} }, $one;
                } elsif (!defined $group->{comment} && $one->{kind} eq 'opaque' && !$one->{note}) {
                    push @{ $header->{handles} }, $one->{name};
                } else {
                    push @own, $one;
                }
            }
            $group->{declarations} = \@own;
            push @kept, $group if @own;
        }
        $section->{groups} = \@kept;
    }
    return;
}

sub add_group {
    my ($book, $group) = @_;
    my @declarations = @{ $group->{declarations} };
    for my $macro (grep { $_->{kind} eq 'macro' } @declarations) {
        $macro->{call} = call_of($macro, @declarations);
    }
    my $rank = sub {
        my ($one) = @_;
        return 0 if $one->{call};
        my %ranks = (function => 1, macro => 2, struct => 3, enum => 3, opaque => 4, type => 4, callback => 5, constants => 6);
        return $ranks{ $one->{kind} };
    };
    my ($first) = sort { $rank->($a) <=> $rank->($b) } @declarations;
    $group->{name} = $first->{name};
    if (!defined $group->{comment} && @declarations == 1 && $declarations[0]{note}) {
        $group->{comment} = delete $declarations[0]{note};
    }
    # As programs call it first, what is behind that last.
    $group->{declarations} = [sort { !!$b->{call} <=> !!$a->{call} } @declarations];
    push @{ $book->{pages} }, $group;
    for my $one (@declarations) {
        my $known = $book->{names}{ $one->{name} };
        $book->{names}{ $one->{name} } = { page => $group, kind => $one->{kind}, declaration => $one };
        next unless $one->{kind} eq 'enum' || $one->{kind} eq 'constants';
        $book->{names}{ $_->{name} } = { page => $group, kind => 'constant', declaration => $one } for @{ $one->{members} };
    }
    return;
}

# How a macro calls a function of its group: { returns, parameters } as a program writes them.
sub call_of {
    my ($macro, @declarations) = @_;
    my $body = $macro->{body};
    $body =~ s/^COHORT_WRITE_\((\w+), (\w+), (\w+)\)$/cohort_variable_write_at(COHORT_SITE, ($2), ($1), COHORT_ARG_($3))/;
    $body =~ s/^COHORT_SCATTER_\((\w+), (\w+), (\w+), (\w+)\)$/cohort_variable_scatter_at(COHORT_SITE, ($2), ($1), COHORT_ARG_($3), COHORT_ARG_($4))/;
    my ($name, $list) = $body =~ /^(cohort_\w+)\((.*)\)$/ or return;
    my ($function) = grep { $_->{name} eq $name && $_->{kind} eq 'function' } @declarations or return;
    my @takes = @{ $function->{parameters} };
    my @parameters;
    for my $passed (split /,(?![^()]*\))\s*/, $list) {
        my $one = shift @takes or last;
        if ($passed =~ /^\(?(\w+)\)?$/ && grep { $_->{name} eq $1 } @{ $macro->{parameters} || [] }) {
            push @parameters, $one;
        } elsif ($passed =~ /^COHORT_ARG_\((\w+)\)$/) {
            push @parameters, { name => $1, text => $1 };
        } elsif ($passed =~ /^COHORT_HEAD_\(/) {
            push @parameters, $one;
        } elsif ($passed =~ /^COHORT_ARGUMENTS_\(/) {
            push @parameters, { name => '...', text => '...' };
        } elsif ($passed eq '__VA_ARGS__') {
            push @parameters, $one, @takes;
        }
    }
    return { returns => $function->{returns}, parameters => \@parameters };
}

# Handles that nothing is said about are on the page of the header with their name, else on that where they are declared.
sub name_handles {
    my ($book) = @_;
    my %headers = map { $_->{name} => $_ } @{ $book->{headers} };
    for my $header (@{ $book->{headers} }) {
        for my $name (@{ $header->{handles} || [] }) {
            $book->{names}{$name} //= { page => $headers{"$name.h"} || $header, kind => 'opaque' };
        }
    }
    return;
}

sub is_header {
    return exists $_[0]{file};
}

# Names of a page that stand in its line NAME: all but single constants.
sub names_of {
    my ($group) = @_;
    my @names = map { $_->{name} } grep { $_->{kind} ne 'constants' || $_->{name} eq $group->{name} } @{ $group->{declarations} };
    return ($group->{name}, grep { $_ ne $group->{name} } @names);
}

# Names that a comment of the page may use alone: parameters, members, and constants without their prefix.
sub words_of {
    my ($group) = @_;
    my %words;
    for my $one (@{ $group->{declarations} }) {
        my @members = @{ $one->{members} || [] };
        $words{ $_->{name} } = 1 for @{ $one->{parameters} || [] }, map { @{ $_->{parameters} || [] } } @members;
        for my $name (map { @{ $_->{names} } } @members) {
            $words{$name} = 1;
            $words{$1} = 1 while $name =~ /(?<=_)(?=([A-Z0-9_]+)$)/g;
        }
        $words{$1} = 1 while $one->{name} =~ /(?<=_)(?=(\w+)$)/g; # _save, of a family
    }
    return \%words;
}

# A summary in one line: the first sentence, or its part up to a colon or semicolon where it is long.
sub summary_of {
    my ($group) = @_;
    my ($first) = @{ Comment::blocks($group->{comment} // '', words_of($group)) };
    return '' unless $first && $first->{kind} eq 'paragraph';
    return short((Comment::sentences($first->{text}))[0]);
}

# A sentence without the call that it begins with, and without what follows a semicolon or a colon.
sub short {
    my ($sentence) = @_;
    $sentence =~ s/^(?:cohort|COHORT)_\w+\([^()]*(?:\([^()]*\)[^()]*)*\): (?=\S)//;
    $sentence =~ s/(?<=[^\s.])[;.] .*//s;
    $sentence =~ s/[.:]+$//;
    $sentence =~ s/^((?:[^:()]|\([^()]*\)){15,}?): .*/$1/s;
    $sentence =~ s/^([A-Z])(?=[a-z]*[ :])/lc $1/e unless $sentence =~ /^[B-Z] /;
    return $sentence;
}

# A function of a table as C has it, in lines that fit.
sub slot_text {
    my ($slot) = @_;
    my ($text, $line) = ('', $slot->{text} =~ /^(.*?\)\()/);
    for my $parameter (split /(?<=,) /, substr($slot->{text}, length $line) . ';') {
        if (length "$line $parameter" > 76) {
            $text .= $line =~ s/ $//r . "\n";
            $line = '    ';
        }
        $line .= "$parameter ";
    }
    return $text . $line =~ s/ $//r;
}

sub header_summary {
    my ($header) = @_;
    my ($first) = @{ Comment::blocks($header->{opening} // '') };
    my ($sentence) = Comment::sentences($first ? $first->{text} : '');
    return short($sentence =~ s/^[A-Z][a-z]+: (?=\w)//r);
}

# parts_of GROUP: the blocks of its comment as { description, returns, errors, examples }.
sub parts_of {
    my ($group) = @_;
    my %parts = map { $_ => [] } qw(description returns errors examples);
    my $blocks = Comment::blocks($group->{comment} // '', words_of($group));
    my $previous = { kind => '', text => '' };
    for my $i (0 .. $#$blocks) {
        my $block = $blocks->[$i];
        my $next = $blocks->[$i + 1];
        if ($block->{kind} eq 'list') {
            split_list(\%parts, $block);
        } elsif ($block->{kind} eq 'code' && !$block->{is_table} && $previous->{text} !~ /:$/ && !continues($next)) {
            push @{ $parts{examples} }, $block;
        } elsif ($block->{kind} eq 'paragraph') {
            split_paragraph(\%parts, $block);
        } else {
            push @{ $parts{description} }, $block;
        }
        $previous = { text => '', %$block };
    }
    return \%parts;
}

# A paragraph that goes on with the sentence that the code before it belongs to.
sub continues {
    my ($block) = @_;
    return $block && $block->{kind} eq 'paragraph' && $block->{text} =~ /^[a-z]+ /;
}

sub split_list {
    my ($parts, $list) = @_;
    my %items;
    for my $item (@{ $list->{items} }) {
        if ($item->{tag} eq 'Returns') {
            push @{ $parts->{returns} }, { kind => 'paragraph', text => $item->{text} };
            next;
        }
        my $place = $item->{tag} eq 'NULL' ? 'returns' : $item->{tag} =~ /^COHORT_E(?!ND)[A-Z]+$/ ? 'errors' : 'description';
        push @{ $items{$place} }, $item;
    }
    for my $place (sort keys %items) {
        push @{ $parts->{$place} }, { kind => 'list', items => $items{$place} };
    }
    return;
}

# Sentences that say what is returned, or that begin with a status and those of errors right behind them.
sub split_paragraph {
    my ($parts, $block) = @_;
    my (%texts, @order);
    my $place = 'description';
    for my $sentence (Comment::sentences($block->{text})) {
        if ($sentence =~ /^(Each )?[Rr]eturns |^NULL with the reason|^NULL, without an error|^NULL: COHORT_|^NULL, COHORT_/ && $sentence !~ /^Returns when /) {
            $place = 'returns';
        } elsif ($sentence =~ /^COHORT_(E[A-Z]+)\b(?!\()/ && $1 !~ /^(END|EACH|EDGE\w*)$/) {
            $place = 'errors';
        } elsif ($place ne 'errors' || $sentence !~ /^(The error that is up|The errors of|Errors as)/) {
            $place = 'description';
        }
        push @order, $place unless $texts{$place};
        push @{ $texts{$place} }, $sentence;
    }
    push @{ $parts->{$_} }, { kind => 'paragraph', text => join ' ', @{ $texts{$_} } } for @order;
    return;
}

# inline TEXT BOOK: [kind, string] each: text, name (of the book), header, code, setting.
sub inline {
    my ($text, $book) = @_;
    my @pieces;
    while ($text =~ m{\G(?:
            (?<code>`[^`]+`)
          | (?<header>\bcohort/[a-z]+\.h\b)
          | (?<name>\b(?:cohort|COHORT)_\w*\w\b)
          | (?<text>.+?)(?=`[^`]+`|\b(?:cohort/[a-z]|cohort_|COHORT_)|$)
        )}gcsx) {
        if (defined $+{name}) {
            my $name = $+{name};
            push @pieces, [$book->{names}{$name} ? 'name' : $name =~ /^COHORT/ ? 'setting' : 'text', $name];
        } elsif (defined $+{code}) {
            push @pieces, ['code', substr $+{code}, 1, -1];
        } else {
            my ($kind) = grep { defined $+{$_} } qw(header text);
            push @pieces, [$kind, $+{$kind}];
        }
    }
    return @pieces;
}

# Pages that the texts of a page name, but itself.
sub mentioned {
    my ($group, $book) = @_;
    my $text = join "\n", $group->{comment} // '', map { ($_->{note} // '', map { $_->{comment} } @{ $_->{members} || [] }) } @{ $group->{declarations} };
    my %pages;
    for my $piece (inline($text, $book)) {
        next unless $piece->[0] eq 'name';
        my $page = $book->{names}{ $piece->[1] }{page};
        $pages{ $page->{name} } = 1 if $page != $group;
    }
    return sort keys %pages;
}

1;
