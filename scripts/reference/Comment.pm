# SPDX-License-Identifier: BSD-3-Clause
# The text of a comment as blocks: paragraphs, lists of words with what they mean, bullets, code.
#
#   A paragraph.
#
#   word   a row of a list: what is said about the word begins in one column,
#          in which it goes on
#
#       code, four columns further in, after a blank line or a colon
#
#     - a bullet
package Comment;
use strict;
use warnings;

# The lines between /* and */, without their stars and their common indentation.
sub text_of {
    my ($comment) = @_;
    $comment =~ s{^/\* ?}{};
    $comment =~ s{\s*\*/$}{};
    $comment =~ s/^\s*\* ?//mg;
    $comment =~ s/[ \t]+$//mg;
    return $comment;
}

my @labels = qw(Returns Owner Threads Thread Blocks Source When Checked Errors NULL Bits SPLIT LOCAL);
my $label = join '|', @labels;

sub is_label {
    return scalar grep { $_ eq $_[0] } @labels;
}

# blocks TEXT [WORDS]: [{ kind => 'paragraph' | 'code', text } | { kind => 'list', items => [{ tag, text }] } |
# { kind => 'bullets', items => [text] }]; WORDS may be followed by a single space in a list, as parameters are.
sub blocks {
    my ($text, $words) = @_;
    my $state = { lines => [split /\n/, $text], words => $words || {}, blocks => [] };
    while (@{ $state->{lines} }) {
        my $line = $state->{lines}[0];
        if ($line eq '') {
            shift @{ $state->{lines} };
            $state->{is_start} = 1;
            next;
        }
        my $taken = table($state) || code($state) || bullets($state) || list($state) || paragraph($state);
        push @{ $state->{blocks} }, $taken;
        $state->{is_start} = 0;
    }
    return $state->{blocks};
}

sub indent_of {
    return length(($_[0] =~ /^( *)/)[0]);
}

# Columns that a reader keeps apart: the lines as they are, to the next blank one.
sub table {
    my ($state) = @_;
    my $lines = $state->{lines};
    return unless $lines->[0] =~ /^ {16}/ || $lines->[0] =~ /\S {2,}\S.*\S {2,}\S/ && $lines->[0] !~ /^ {4}/;
    my @taken;
    push @taken, shift @$lines while @$lines && $lines->[0] ne '';
    return { kind => 'code', text => join("\n", @taken), is_table => 1 };
}

sub code {
    my ($state) = @_;
    my $lines = $state->{lines};
    return unless indent_of($lines->[0]) >= 4;
    my @taken;
    while (@$lines && ($lines->[0] eq '' || indent_of($lines->[0]) >= 4)) {
        my ($next) = grep { $_ ne '' } @$lines;
        last if !defined $next || indent_of($next) < 4;
        push @taken, shift @$lines;
    }
    my ($least) = sort { $a <=> $b } map { indent_of($_) } grep { $_ ne '' } @taken;
    return { kind => 'code', text => join("\n", map { substr($_, $_ eq '' ? 0 : $least) } @taken) };
}

sub bullets {
    my ($state) = @_;
    my $lines = $state->{lines};
    my ($space) = $lines->[0] =~ /^( *)- \S/ or return;
    my @items;
    while (@$lines && ($lines->[0] =~ /^\Q$space\E- (.*)/ || (@items && $lines->[0] =~ /^\Q$space\E(?:  )? *(\S.*)/ && $space ne ''))) {
        if ($lines->[0] =~ /^\Q$space\E- (.*)/) {
            push @items, $1;
        } else {
            $items[-1] .= " $1";
        }
        shift @$lines;
    }
    return { kind => 'bullets', items => \@items };
}

sub list {
    my ($state) = @_;
    my $lines = $state->{lines};
    return unless $lines->[0] =~ /^( {0,3})(\S.*?) {2,}(?=\S)/;
    my ($indent, $column, @items) = (length $1, $+[0]);
    while (@$lines && $lines->[0] ne '') {
        my $line = $lines->[0];
        my ($tag, $text) = row($state, $line, $indent, $column);
        if (defined $tag) {
            push @items, { tag => $tag, text => $text };
        } elsif (indent_of($line) > $indent && @items) {
            my $text = substr $line, indent_of($line) < $column ? indent_of($line) : $column;
            $items[-1]{text} .= "\n$text";
        } elsif (@$lines > 1 && $lines->[1] =~ /^ {$column}/ && indent_of($line) == $indent) {
            push @items, { tag => substr($line, $indent), text => '' };
        } else {
            last;
        }
        shift @$lines;
    }
    return @items ? { kind => 'list', items => \@items, indent => $indent } : undef;
}

# The tag and the text of a line that begins a row of the list.
sub row {
    my ($state, $line, $indent, $column) = @_;
    return unless indent_of($line) == $indent;
    return ($1, $2) if $line =~ /^ *(\S.*?) {2,}(\S.*)/ && $1 !~ /(?<!\.\.)[.;:]( |$)/;
    return ($1, $2) if $line =~ /^ *($label) (\S.*)/ && $1 eq 'Returns';
    my ($tag, $text) = (substr($line, $indent, $column - 1 - $indent), $column <= length $line ? substr($line, $column) : '');
    return ($tag, $text) if $text ne '' && substr($line, $column - 1, 1) eq ' ' && ($state->{words}{$tag} || is_label($tag));
    return;
}

sub paragraph {
    my ($state) = @_;
    my $lines = $state->{lines};
    my @taken = shift @$lines;
    while (@$lines && $lines->[0] ne '') {
        my $line = $lines->[0];
        last if $line =~ /^ *- \S/ || ($line =~ /^ {0,3}\S.*? {2,}\S/ && $line !~ /(?<!\.\.)[.;:] {2}/);
        last if $line =~ /^ {4}/ && $taken[-1] =~ /:$/;
        push @taken, shift @$lines;
    }
    s/^ +// for @taken;
    return { kind => 'paragraph', text => join(' ', @taken) };
}

# "One. Two (e.g. this)." as sentences.
sub sentences {
    return split /(?<=[.!?])\s+(?=["`(A-Z\$'0-9_])/, $_[0];
}

1;
