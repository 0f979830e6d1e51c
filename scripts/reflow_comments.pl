#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# Wrap the comments of C files at 100 columns, in place:
#
#     perl scripts/reflow_comments.pl [--all] FILE...
#
# A paragraph, a bullet or a row of a list (scripts/reference/Comment.pm has the forms) is wrapped anew where one of its
# lines is longer, with --all in any case. Code, tables and comments within macros stay as they are. A comment behind
# code that has no room moves to a line of its own before it. Every line that is still longer is printed.
use strict;
use warnings;

my $width = 100;
my $wraps_all = @ARGV && $ARGV[0] eq '--all' ? shift : '';

# The words of TEXT in lines: the first begins with FIRST, the others with NEXT; LAST is what the final one leaves free.
sub wrapped {
    my ($first, $next, $last, $text) = @_;
    my @words = split ' ', $text;
    my @lines = ($first . shift @words);
    for my $i (0 .. $#words) {
        my $room = $width - ($i == $#words ? $last : 0);
        if (length("$lines[-1] $words[$i]") <= $room) {
            $lines[-1] .= " $words[$i]";
        } else {
            push @lines, $next . $words[$i];
        }
    }
    return @lines;
}

sub indent_of {
    return length(($_[0] =~ /^( *)/)[0]);
}

sub is_table {
    return $_[0] =~ /\S {2,}\S.*\S {2,}\S/ || $_[0] =~ /^ {16}/ || $_[0] =~ /^\W+$/ || $_[0] =~ /^ *\|/;
}

# The column in which the text of a row begins, 0 for a line that is none. COLUMN: that of the list, whose rows may have a
# single space where the word is as long.
sub row_column {
    my ($line, $column) = @_;
    return $+[0] if $line =~ /^ {0,3}(\S.*?) {2,}(?=\S)/ && $1 !~ /[.;:]$/ && ($1 =~ tr/"//) % 2 == 0;
    return $column if $column && $line =~ /^ {0,3}\S+ (?=\S)/ && $+[0] == $column;
    return 0;
}

# A sentence that ends before its line is full, so that the next one has a line of its own.
sub ends_early {
    my ($line, $next) = @_;
    return $line =~ /\.$/ && length($line) + 5 + length(($next =~ /^\s*(\S+)/)[0]) <= $width;
}

# Take one segment off the lines of a comment: what is wrapped together, the column in which its text begins, and that in
# which it continues; -1: it stays as it is.
sub segment {
    my ($lines, $state) = @_;
    my $line = shift @$lines;
    if ($line =~ /^\s*$/) {
        $state->{column} = 0;
        return ([$line], -1);
    }
    my @taken = $line;
    my $take = sub {
        push @taken, shift @$lines while @$lines && $lines->[0] !~ /^\s*$/ && $_[0]->($lines->[0]);
    };
    if (is_table($line)) {
        $take->(sub { 1 });
        return (\@taken, -1);
    }
    my $indent = indent_of($line);
    if ($line =~ /^ *- \S/) {
        $take->(sub { indent_of($_[0]) == $indent + 2 && $_[0] !~ /^ *- / });
        return (\@taken, $indent, $indent + 2);
    }
    return (\@taken, -1) if $indent >= 4;
    my $column = row_column($line, $state->{column});
    if ($column) {
        $state->{column} ||= $column;
        my ($next) = grep { @$lines && indent_of($lines->[0]) == $_ } $column, $state->{column};
        $next ||= $state->{column};
        $take->(sub { indent_of($_[0]) == $next && $_[0] !~ /\S {2,}\S/ });
        return (\@taken, $column, $next);
    }
    $take->(sub {
        return indent_of($_[0]) == $indent && $_[0] !~ /^ *- \S/ && !is_table($_[0]) && !row_column($_[0], $state->{column}) && !ends_early($taken[-1], $_[0]);
    });
    return (\@taken, $indent, $indent);
}

# A comment, from its first line to its last, with its stars where they have to be.
sub reflowed {
    my @lines = @_;
    my ($margin) = $lines[0] =~ /^(\s*)/;
    my $text = join "\n", @lines;
    return @lines if $text =~ m{\\$}m || $text =~ /clang-format/ || $text !~ m{^\s*/\* } || $lines[0] =~ m{/\* -{6}};
    for my $line (@lines[1 .. $#lines]) {
        return @lines unless $line =~ m{^\s*\*};
    }
    my $closes_alone = @lines > 1 && $lines[-1] =~ m{^\s*\*/$};
    pop @lines if $closes_alone;
    $lines[-1] =~ s{\s*\*/$}{} unless $closes_alone;
    my @body = ($lines[0] =~ m{^\s*/\* ?(.*)}, map { m{^\s*\* ?(.*)} } @lines[1 .. $#lines]);
    my ($state, @out) = ({ column => 0 });
    while (@body) {
        my ($taken, $column, $next) = segment(\@body, $state);
        my $last = @body || $closes_alone ? 0 : 3;
        my $is_long = grep { length($margin) + 3 + length($taken->[$_]) + ($_ == $#$taken ? $last : 0) > $width } 0 .. $#$taken;
        if ($column < 0 || !($wraps_all || $is_long)) {
            push @out, map { "$margin * $_" } @$taken;
            next;
        }
        my ($first, @others) = @$taken;
        my $words = join ' ', substr($first, $column), @others;
        push @out, wrapped("$margin * " . substr($first, 0, $column), "$margin * " . ' ' x $next, $last, $words);
    }
    $out[0] =~ s{^(\s*) \*}{$1/*};
    $out[-1] .= ' */' unless $closes_alone;
    push @out, "$margin */" if $closes_alone;
    s/\s+$// for @out;
    return @out;
}

# A line of code with a comment behind it, as two.
sub apart {
    my ($line) = @_;
    return ($line) if length $line <= $width || $line =~ m{\\$} || $line !~ m{^(\s*)([^\s/"'\}#][^"']*?)\s*/\* (.*) \*/$} || $2 =~ m{/\*};
    my ($margin, $code, $text) = ($1, $2, $3);
    return (reflowed("$margin/* $text */"), "$margin$code");
}

for my $file (@ARGV) {
    open my $in, '<', $file or die "$file: $!\n";
    my @lines = <$in>;
    close $in;
    chomp @lines;
    my @out;
    while (@lines) {
        my $line = shift @lines;
        if ($line !~ m{^\s*/\*}) {
            push @out, apart($line);
            next;
        }
        my @comment = $line;
        push @comment, shift @lines while @lines && $comment[-1] !~ m{\*/};
        push @out, $comment[-1] =~ m{\*/$} ? reflowed(@comment) : @comment;
    }
    open my $to, '>', $file or die "$file: $!\n";
    print {$to} "$_\n" for @out;
    close $to;
    length > $width and print "$file: $_\n" for @out;
}
