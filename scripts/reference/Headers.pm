# SPDX-License-Identifier: BSD-3-Clause
# Public headers, read into headers, sections, groups and declarations.
#
# A group is a comment and the declarations right below it, up to the next blank line or comment. Names that end in _
# belong to a macro, and are left out. What only C++ sees is left out too.
package Headers;
use strict;
use warnings;
use Comment;

# read_header PATH: { file, opening, sections => [{ title, text, groups }], includes }
sub read_header {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    my @lines = <$in>;
    close $in;
    my ($file) = $path =~ m{([^/]+)$};
    my $header = { file => $file, includes => [map { m{^\#include <cohort/(.*)>} ? $1 : () } @lines] };
    my @items = items(join '', lines_of_c(@lines));
    shift @items while @items && $items[0]{text} =~ /SPDX/;
    $header->{opening} = Comment::text_of((shift @items)->{text}) if @items && $items[0]{is_comment};
    group_items($header, @items);
    return $header;
}

# The lines that a C program sees, without the conditions themselves.
sub lines_of_c {
    my (@seen, @is_seen);
    for (@_) {
        if (/^\s*#\s*if(n?def)?\b/) {
            push @is_seen, !/^#ifdef __cplusplus|^#ifdef __OPENCL_VERSION__|^#ifdef __clang__|^#if defined\(__clang__\)/;
        } elsif (/^\s*#\s*else\b/) {
            $is_seen[-1] = !$is_seen[-1];
        } elsif (/^\s*#\s*elif\b/) {
            $is_seen[-1] = 0;
        } elsif (/^\s*#\s*endif\b/) {
            pop @is_seen;
        } elsif (!grep { !$_ } @is_seen) {
            push @seen, $_ unless m{^\s*/\* clang-format |^\s*#\s*(include|pragma|undef)\b|^__attribute__|^[A-Z_]+(_|\([A-Z_]+\))$};
        }
    }
    return @seen;
}

# Comments and declarations in order: { text, is_comment, is_macro, blank_before, is_trailing }
sub items {
    my ($text) = @_;
    my @items;
    while ($text =~ /\G(\s*)/gc, pos($text) < length $text) {
        my $blank = () = $1 =~ /\n/g;
        my %item = (blank_before => $blank > 1, is_trailing => $blank == 0);
        if ($text =~ m{\G/\*.*?\*/}gcs) {
            $item{text} = $&;
            $item{is_comment} = 1;
        } elsif ($text =~ /\G#(?:.*\\\n)*.*/gc) {
            $item{text} = $&;
            $item{is_macro} = 1;
        } else {
            $item{text} = declaration_at(\$text);
        }
        push @items, \%item;
    }
    return @items;
}

# The declaration at pos of a text, up to its semicolon, or to the end of its body.
sub declaration_at {
    my ($text) = @_;
    my ($depth, $is_body, $out) = (0, 0, '');
    while ($$text =~ m{\G(/\*.*?\*/|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^/"'{};]+|.)}gcs) {
        my $part = $1;
        $is_body = 1 if $part eq '{' && $depth == 0 && $out =~ /\)\s*$/;
        $depth += ($part eq '{') - ($part eq '}');
        $out .= $part;
        last if $depth == 0 && ($part eq ';' || ($part eq '}' && $is_body));
    }
    return $out;
}

sub group_items {
    my ($header, @items) = @_;
    my $section = { title => '', text => '', groups => [] };
    my $sections = $header->{sections} = [$section];
    my ($comment, $group);
    for my $item (@items) {
        if ($item->{is_comment}) {
            if ($item->{is_trailing}) {
                $group->{declarations}[-1]{note} = Comment::text_of($item->{text}) if $group && !$comment;
                next;
            }
            push @{ $header->{floating} }, $comment if $comment && !$item->{blank_before} && ucfirst $comment ne $section->{text};
            $comment = Comment::text_of($item->{text});
            $group = undef;
            if ($comment =~ s/^-{4,} ?//) {
                my $title = $comment =~ s/^([^.:]+)[.:]?\s*// ? $1 : '';
                push @$sections, $section = { title => one_line($title), text => ucfirst $comment, groups => [] };
            }
            next;
        }
        my @declarations = grep { is_public($_->{name}) } declarations_of($item);
        if (!@declarations) {
            ($comment, $group) = () if $item->{blank_before} || $comment;
            next;
        }
        my $is_new = $item->{blank_before} || !$group;
        if ($is_new && $item->{blank_before} && $comment) {
            push @{ $header->{floating} }, $comment unless ucfirst $comment eq $section->{text};
            $comment = undef;
        }
        if ($is_new) {
            $group = { header => $header, section => $section, comment => $comment, declarations => [] };
            push @{ $section->{groups} }, $group;
            $section->{text} = '' if defined $comment && ucfirst $comment eq $section->{text};
            $comment = undef;
        }
        push @{ $group->{declarations} }, @declarations;
    }
    return;
}

sub is_public {
    my ($name) = @_;
    return $name =~ /^(cohort_[a-z0-9_]*[a-z0-9]|COHORT_[A-Z0-9_]*[A-Z0-9])$/ && $name !~ /^COHORT_[A-Z_]+_H(PP)?$/;
}

# Of an item: { name, kind, text, parameters, returns, members, body }
sub declarations_of {
    my ($item) = @_;
    my $text = $item->{text};
    return macro_of($text) if $item->{is_macro};
    my $bare = without_comments($text);
    $bare =~ s/\bCOHORT_API\s+|\bCOHORT_PRINTF_\(.*?\)|\bstatic inline\s+//gs;
    if ($bare =~ /^(?:typedef\s+)?enum\b\s*(\w*)\s*\{/) {
        my @constants = enumerators_of($text);
        my $name = $1 || $constants[0]{name};
        return { name => $name, kind => $1 ? 'enum' : 'constants', text => source_of($text), members => \@constants };
    }
    if ($bare =~ /^typedef\s+struct\s+\w+\s*\{.*\}\s*(\w+);/s) {
        my $name = $1;
        my $note = $text =~ s{(\{) */\*(.*?)\*/}{$1} ? one_line($2) : undef; # behind the brace: about all of it
        return { name => $name, kind => 'struct', text => source_of($text), members => [members_of($text)], note => $note };
    }
    return { name => $1, kind => 'opaque', text => one_line($bare) } if $bare =~ /^typedef\s+struct\s+\w+\s+(\w+);/;
    return { name => $2, kind => 'callback', text => source_of($bare), returns => one_line($1), parameters => parameters_of($3) }
        if $bare =~ /^typedef\s+(.*?)\(\*(\w+)\)\((.*)\);/s;
    return { name => $1, kind => 'type', text => one_line($bare) } if $bare =~ /^typedef\s+.*?(\w+);/s;
    return { name => $2, kind => 'function', returns => one_line($1), parameters => parameters_of($3), text => one_line($bare) }
        if $bare =~ /^(\w[\w\s*]*?[\s*])(\w+)\(((?:[^()]|\([^()]*\))*)\)/;
    return ();
}

sub macro_of {
    my ($text) = @_;
    $text =~ s/\\\n/ /g;
    my ($note) = $text =~ m{/\*\s*(.*?)\s*\*/\s*$}s;
    $text = without_comments($text);
    $text =~ /^#\s*define (\w+)(\(([^()]*)\))?\s*(.*?)\s*$/s or return ();
    my %macro = (name => $1, kind => 'macro', body => one_line($4));
    $macro{parameters} = [map { { name => $_, type => '' } } split /\s*,\s*/, $3] if defined $2;
    $macro{note} = $note if defined $note && $note =~ /\s/ && $macro{body} !~ /__VA_ARGS__/;
    return \%macro;
}

# "int n, void *const user[]": { name, type, text } each.
sub parameters_of {
    my ($list) = @_;
    my @parameters;
    for (split /,(?![^()]*\))/, $list) {
        my $text = one_line($_);
        next if $text eq 'void';
        my ($name) = $text =~ /\(\*(\w+)\)|(\w+)(?:\[\w*\])*$/ ? ($1 // $2) : ($text);
        push @parameters, { name => $name, text => $text };
    }
    return \@parameters;
}

# The lists X(name, ...) of a header, which its enumerations are made of: a table of all that were read.
my %lists;

sub read_lists {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    my $text = do { local $/; <$in> };
    close $in;
    while ($text =~ /^#define (COHORT_\w+)\(X\)((?:.*\\\n)*.*)/mg) {
        my ($name, $rows) = ($1, $2);
        $lists{$name} = [$rows =~ /X\((\w+, -?\d+(?:, "[^"]*")?)/g];
    }
    return;
}

# Constants of an enumeration with what is said about each.
sub enumerators_of {
    my ($text) = @_;
    $text =~ s/^.*?\{//s;
    $text =~ s/\}[^}]*$//s;
    $text =~ s/\b(COHORT_\w+S)\((COHORT_\w+_)\)/join '', map { expanded($_) } @{ $lists{$1} || [] }/ge;
    return grep { is_public($_->{name}) } parts_of($text, ',', sub {
        my ($name, $value) = $_[0] =~ /^(\w+)(?:\s*=\s*(.*))?$/s or return ();
        return { names => [$name], name => $name, text => one_line($_[0]) };
    });
}

sub expanded {
    my ($name, $value, $text) = split /, /, $_[0], 3;
    return "COHORT_$name = $value," . (defined $text ? ' /* ' . $text =~ tr/"//dr . " */\n" : "\n");
}

# Members of a struct with what is said about each.
sub members_of {
    my ($text) = @_;
    $text =~ s/^.*?\{//s;
    $text =~ s/\}[^}]*$//s;
    return parts_of($text, ';', sub {
        my ($part) = @_;
        return { names => [$2], name => $2, text => one_line($part), returns => one_line("$1"), parameters => parameters_of("$3") }
            if $part =~ /^([^(]*)\(\*(\w+)\)\((.*)\)$/s;
        my @names = map { /(\w+)\s*(?:\[[^\]]*\]\s*)*$/ ? $1 : () } split /,/, $part =~ s/\{.*\}//sr;
        return @names ? { names => \@names, name => $names[0], text => one_line($part) } : ();
    });
}

# What stands between separators, each with the comment before it, or else with the one behind it on its line.
sub parts_of {
    my ($text, $separator, $make) = @_;
    my ($comment, $code, $depth, @parts) = ('', '', 0);
    my $end = sub {
        my ($part) = $make->($code =~ s/^\s+|\s+$//gr);
        push @parts, { %$part, comment => $comment } if $part;
        ($comment, $code) = ('', '');
    };
    while ($text =~ m{\G(/\*.*?\*/|[{}()]|\Q$separator\E|[^/{}();,]+|.)}gcs) {
        my ($part, $before) = ($1, substr $text, 0, $-[0]);
        if ($part =~ m{^/\*}) {
            my $said = Comment::text_of($part);
            if ($code !~ /\S/ && @parts && !$parts[-1]{comment} && $before !~ /\n\s*$/) {
                $parts[-1]{comment} = $said;
            } elsif ($said !~ /^----/) {
                $comment = $said;
            }
            next;
        }
        $depth += ($part =~ /[{(]/) - ($part =~ /[})]/) if length $part == 1;
        if ($part eq $separator && $depth == 0) {
            $end->();
        } else {
            $code .= $part;
        }
    }
    $end->() if $code =~ /\S/;
    return @parts;
}

sub without_comments {
    my ($text) = @_;
    $text =~ s{/\*.*?\*/}{}gs;
    return $text;
}

# A declaration as people read it: without comments, as it is broken into lines in the header.
sub source_of {
    my $text = without_comments($_[0]);
    $text =~ s/\b(COHORT_\w+S)\((COHORT_\w+_)\)\s*/join '', map { '    ' . expanded($_) =~ s{ \/\*.*}{}sr . "\n" } @{ $lists{$1} || [] }/ge;
    $text =~ s/\w+_COUNT_ = \d+ //;
    $text =~ s/\{[ \n]*(?=    COHORT_\w+ = -?\d+,\n)/{\n/;
    $text =~ s/[ \t]+$//mg;
    $text =~ s/\n\n+/\n/g;
    return $text;
}

sub one_line {
    my ($text) = @_;
    $text =~ s/\s+/ /g;
    $text =~ s/^ | $//g;
    return $text;
}

1;
