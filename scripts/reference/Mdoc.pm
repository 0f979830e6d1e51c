# SPDX-License-Identifier: BSD-3-Clause
# Pages as manual pages of section 3, in mdoc.
package Mdoc;
use strict;
use warnings;
use Comment;
use Pages;

# files_of BOOK DATE VERSION: { FILE => text }
sub files_of {
    my ($book, $date, $version) = @_;
    my %files;
    my $frame = sub {
        my ($page, @lines) = @_;
        return join "\n", '.\" SPDX-License-Identifier: BSD-3-Clause',
            ".\\\" Made by scripts/reference.pl from include/cohort/$page->{file}.",
            ".Dd $date", '.Dt ' . uc($page->{name}) . ' 3', ".Os Cohort $version", @lines, '';
    };
    for my $group (@{ $book->{pages} }) {
        $files{"$group->{name}.3"} = $frame->({ name => $group->{name}, file => $group->{header}{file} }, group_lines($group, $book));
    }
    $files{"$_->{name}.3"} = $frame->($_, header_lines($_, $book)) for @{ $book->{headers} };
    for my $name (keys %{ $book->{names} }) {
        my $page = $book->{names}{$name}{page}{name};
        $files{"$name.3"} //= ".so man3/$page.3\n";
    }
    return \%files;
}

sub group_lines {
    my ($group, $book) = @_;
    my $parts = Pages::parts_of($group);
    my $header = $group->{header};
    my @names = Pages::names_of($group);
    my @lines = ('.Sh NAME', (map { ".Nm $names[$_]" . ($_ < $#names ? ' ,' : '') } 0 .. $#names));
    push @lines, '.Nd ' . plain(Pages::summary_of($group)) =~ s/"/\\(dq/gr;
    push @lines, '.Sh LIBRARY', 'pkg-config \-\-cflags \-\-libs cohort' if $header->{include} eq 'cohort.h';
    push @lines, '.Sh SYNOPSIS', ".In cohort/$header->{include}", synopsis($group);
    push @lines, '.Sh DESCRIPTION', description($group, $parts, $book);
    my %titles = (returns => 'RETURN VALUES', errors => 'ERRORS', examples => 'EXAMPLES');
    for my $part (qw(returns examples errors)) {
        push @lines, ".Sh $titles{$part}", blocks($parts->{$part}, $book) if @{ $parts->{$part} };
    }
    my @others = grep { $_ ne $header->{name} } Pages::mentioned($group, $book);
    return (@lines, see_also(@others, $header->{name}));
}

sub see_also {
    my @pages = map { [$_, 3] } sort { lc $a cmp lc $b } @_, 'libcohort';
    return ('.Sh SEE ALSO', map { ".Xr $pages[$_][0] $pages[$_][1]" . ($_ < $#pages ? ' ,' : '') } 0 .. $#pages);
}

sub synopsis {
    my ($group) = @_;
    my @lines;
    for my $one (@{ $group->{declarations} }) {
        if ($one->{call}) {
            push @lines, call_lines($one->{name}, $one->{call}{returns}, @{ $one->{call}{parameters} });
        } elsif ($one->{kind} eq 'function') {
            push @lines, call_lines($one->{name}, $one->{returns}, @{ $one->{parameters} });
        } elsif ($one->{kind} eq 'macro') {
            push @lines, '.Fd #define ' . code($one->{name} . macro_tail($one));
        } else {
            push @lines, literal($one->{text});
        }
    }
    return @lines;
}

# What stands behind the name of a macro: its parameters, or a value that says something.
sub macro_tail {
    my ($macro) = @_;
    return '(' . join(', ', map { $_->{name} } @{ $macro->{parameters} }) . ')' if $macro->{parameters};
    return $macro->{body} =~ /^(\(?-?\d+u?\)?|".*")$/ ? " $1" : '';
}

sub call_lines {
    my ($name, $returns, @parameters) = @_;
    my @texts = map { '.Fa ' . quoted($_->{text}) } @parameters;
    return (".Ft " . quoted($returns), ".Fo $name", @texts ? @texts : '.Fa void', '.Fc');
}

sub description {
    my ($group, $parts, $book) = @_;
    my @lines = blocks($parts->{description}, $book);
    for my $one (@{ $group->{declarations} }) {
        my @members = grep { $_->{comment} } @{ $one->{members} || [] };
        push @lines, members($one, \@members, $book) if @members;
    }
    my @notes = grep { defined $_->{note} && $_->{note} ne '' } @{ $group->{declarations} };
    if (@notes) {
        push @lines, '.Bl -tag -width Ds', (map { (".It Fn $_->{name}", sentence_lines($_->{note}, $book)) } @notes), '.El';
    }
    my $section = $group->{section};
    push @lines, ".Ss " . plain($section->{title}), blocks(Comment::blocks($section->{text}), $book) if $section->{text} ne '';
    return @lines;
}

# What is said about single members or constants. Those that are functions are shown with their parameters.
sub members {
    my ($one, $members, $book) = @_;
    my @lines;
    if (grep { $_->{parameters} } @$members) {
        for my $member (@$members) {
            push @lines, '.Ss ' . plain(join ', ', @{ $member->{names} });
            push @lines, literal(Pages::slot_text($member)) if $member->{parameters};
            push @lines, blocks(Comment::blocks($member->{comment}), $book);
        }
        return @lines;
    }
    my $macro = $one->{kind} eq 'struct' ? 'Fa' : 'Dv';
    push @lines, '.Bl -tag -width Ds';
    push @lines, ".It $macro " . join(' , ', @{ $_->{names} }), sentence_lines($_->{comment}, $book) for @$members;
    return (@lines, '.El');
}

sub header_lines {
    my ($header, $book) = @_;
    my @lines = ('.Sh NAME', ".Nm $header->{name}", '.Nd ' . plain(Pages::header_summary($header)), '.Sh SYNOPSIS', ".In cohort/$header->{file}");
    push @lines, '.Sh DESCRIPTION', blocks(Comment::blocks($header->{opening}), $book);
    push @lines, headers_lines($book) if $header->{file} eq 'cohort.h';
    for my $section (grep { @{ $_->{groups} } } @{ $header->{sections} }) {
        push @lines, '.Ss ' . ($section->{title} eq '' ? 'Names' : plain($section->{title}));
        push @lines, blocks(Comment::blocks($section->{text}), $book) if $section->{text} ne '';
        push @lines, '.Bl -tag -width Ds';
        for my $group (@{ $section->{groups} }) {
            my @names = Pages::names_of($group);
            push @lines, '.It Xr ' . join(' , Xr ', map { "$_ 3" } @names), plain(Pages::summary_of($group));
        }
        push @lines, '.El';
    }
    my @others = $header->{file} eq 'cohort.h' ? () : ('cohort_cohort.h');
    return (@lines, see_also(@others));
}

sub headers_lines {
    my ($book) = @_;
    my @headers = grep { $_->{file} ne 'cohort.h' } @{ $book->{headers} };
    return ('.Ss Headers', '.Bl -tag -width Ds', (map { (".It Xr $_->{name} 3", plain(Pages::header_summary($_))) } @headers), '.El');
}

sub blocks {
    my ($blocks, $book) = @_;
    my @lines;
    for my $block (@$blocks) {
        push @lines, '.Pp' if @lines && $block->{kind} eq 'paragraph';
        if ($block->{kind} eq 'paragraph') {
            push @lines, sentence_lines($block->{text}, $book);
        } elsif ($block->{kind} eq 'code') {
            push @lines, literal($block->{text});
        } elsif ($block->{kind} eq 'bullets') {
            push @lines, '.Bl -bullet', (map { ('.It', sentence_lines($_, $book)) } @{ $block->{items} }), '.El';
        } else {
            push @lines, '.Bl -tag -width Ds', (map { item_lines($_, $book) } @{ $block->{items} }), '.El';
        }
    }
    return @lines;
}

sub item_lines {
    my ($item, $book) = @_;
    my $tag = $item->{tag};
    my $macro = $tag =~ /^COHORT_|^NULL$/ ? 'Dv' : $tag =~ /^[a-z_]+(, [a-z_]+)*$/ ? 'Fa' : 'Sy';
    return (".It $macro " . join(' , ', map { quoted($_) } split /, /, $tag), blocks(Comment::blocks($item->{text}), $book));
}

sub literal {
    return ('.Bd -literal', (map { code($_) } split /\n/, $_[0]), '.Ed');
}

# Each sentence on a line of its own, names as macros.
sub sentence_lines {
    my ($text, $book) = @_;
    $text =~ s/\s+/ /g;
    return map { words($_, $book) } Comment::sentences($text);
}

my %macros = (function => 'Fn', macro => 'Fn', constant => 'Dv', constants => 'Dv', struct => 'Vt', enum => 'Vt', callback => 'Vt', opaque => 'Vt',
    type => 'Vt');

sub words {
    my ($sentence, $book) = @_;
    my @lines;
    my $text = '';
    my $flush = sub {
        push @lines, plain($text) if $text =~ /\S/;
        $text = '';
    };
    for my $word (split / /, $sentence) {
        my ($before, $name, $behind) = $word =~ /^(\(?)((?:cohort|COHORT)_\w+)([.,:;)]*)$/ ? ($1, $2, $3) : ('', '', '');
        my $known = $book->{names}{$name};
        if ($known || $name =~ /^COHORT_/) {
            my $macro = $known ? $macros{ $known->{kind} } : 'Ev';
            $macro = 'Dv' if $macro eq 'Fn' && $known->{kind} eq 'macro' && !$known->{declaration}{parameters};
            $flush->();
            push @lines, join ' ', ".$macro", ($before ? $before : ()), $name, split(//, $behind);
        } elsif ($word =~ m{^(\(?)(cohort/[a-z]+\.h)([.,:;)]*)$} && length $1 == 0) {
            $flush->();
            push @lines, join ' ', '.In', $2, split(//, $3);
        } else {
            $text .= ($text eq '' ? '' : ' ') . $word;
        }
    }
    $flush->();
    return @lines;
}

# A line of text: `code` in bold, and nothing that roff takes for its own.
sub plain {
    my ($text) = @_;
    $text =~ s/^\s+|\s+$//g;
    $text = escaped($text);
    $text =~ s/\\\(ga([^`]*?)\\\(ga/\\fB$1\\fP/g;
    $text =~ s/\b((?:cohort|COHORT)_\w+)/\\fB$1\\fP/g;
    $text =~ s{(^|\s)(?=\S*(?:cohort|COHORT)[_/])}{$1\\%}g; # a name is not hyphenated
    $text =~ s/(^|[\s("])-(?=[\w])/$1\\-/g;
    return $text =~ s/^([.'])/\\&$1/r;
}

sub code {
    my ($text) = @_;
    $text = escaped($text);
    $text =~ s/-/\\-/g;
    $text =~ s/'/\\(aq/g;
    return $text =~ s/^\./\\&./r;
}

sub escaped {
    my ($text) = @_;
    $text =~ s/\\/\\e/g;
    $text =~ s/`/\\(ga/g;
    $text =~ s/\^/\\(ha/g;
    $text =~ s/~/\\(ti/g;
    return $text;
}

# One argument of a macro.
sub quoted {
    my ($text) = @_;
    $text = code($text);
    $text =~ s/"/\\(dq/g;
    return $text =~ /[\s,.;:()]/ ? "\"$text\"" : $text =~ /^[A-Z][a-z]$/ ? "\\&$text" : $text;
}

1;
