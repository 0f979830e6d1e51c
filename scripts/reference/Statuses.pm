# SPDX-License-Identifier: BSD-3-Clause
# Statuses that the comments of functions name, beside those that their sources can answer.
#
# The sources are read as text. A function reaches all that its body names, be it a function, a table or a macro, and so on
# from there, which is more than it calls: a status that stands nowhere there is surely none of its answers. What cannot be
# followed may answer anything: a pointer that a plugin or a program fills, and what was kept of an earlier call.
package Statuses;
use strict;
use warnings;

my $status = qr/\bCOHORT_(?:E[A-Z]+|END)\b/;

# What cohort/status.h says of every call.
my %general = map { $_ => 1 } qw(COHORT_EINVAL COHORT_ENOMEM);

# read_sources PATH...: { nodes => { NAME => [node] }, members => { MEMBER => { NAME => 1 } } }. A node is what has a name
# and a body: { name, file, body, names, called, is_static, is_function, is_open }.
sub read_sources {
    my $code = { nodes => {}, members => {} };
    for my $path (@_) {
        open my $in, '<', $path or die "$path: $!\n";
        my $text = do { local $/; <$in> };
        close $in;
        $text =~ s{/\*.*?\*/|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'}{ }gs;
        $text =~ s/\\\n/ /g;
        $text =~ s/__attribute__\(\(.*\)\)//g;
        $text =~ s/^#\s*define\s+(\w+)(.*)$/add_node($code, name => $1, body => $2, file => $path), ''/gme;
        $text =~ s/^#.*$|^[A-Z_]+\([A-Z_]+\)$|^extern\s+\{//gm; # extern "C" has lost its string
        read_definitions($code, $path, $text);
    }
    return $code;
}

# What begins at the left margin and has a body in braces.
sub read_definitions {
    my ($code, $path, $text) = @_;
    while ($text =~ /^(\w[^;{}]*)(\{(?:[^{}]++|(?2))*\})/gm) {
        my ($head, $body) = ($1, $2);
        next if $head =~ /^(?:typedef|extern)\b|^(?:static\s+)?(?:const\s+)?(?:struct|union|enum)\s*\w*\s*$/;
        my $is_function = $head !~ /=/;
        my ($name) = $is_function ? $head =~ /(\w+)\s*\(/ : $head =~ /(\w+)\s*(?:\[[^\]]*\]\s*)*=/;
        next unless defined $name;
        my $is_static = $head =~ /\bstatic\b/ && $path =~ /\.c$/;
        add_node($code, name => $name, body => $head . $body, file => $path, is_function => $is_function, is_static => $is_static);
    }
    return;
}

sub add_node {
    my ($code, %node) = @_;
    my %names = map { $_ => 1 } $node{body} =~ /(?<![.>\w])([A-Za-z_]\w*)/g;
    delete $names{ $node{name} };
    $node{names} = [keys %names];
    $node{called} = [grep { defined } $node{body} =~ /(?:->|\.)(\w+)\(|(?:->|\.)(\w+)\)\(/g];
    $node{is_open} = $node{body} =~ /(?:->|\.)(?:status|code|error|failed)\b(?!\s*=[^=])/; # kept of an earlier call
    push @{ $code->{nodes}{ $node{name} } }, \%node;
    $code->{members}{$1}{$2} = 1 while $node{body} =~ /(?:->|\.)(\w+)\s*=\s*&?(\w+)\b/g;
    return;
}

# What a name means in a file: its own before what others share.
sub nodes_of {
    my ($code, $name, $file) = @_;
    my @all = @{ $code->{nodes}{$name} || [] };
    my @own = grep { $_->{file} eq $file } @all;
    return @own ? @own : grep { !$_->{is_static} } @all;
}

# The functions that a member of a struct may point to; () where they are not all known.
sub targets_of {
    my ($code, $member) = @_;
    my @targets;
    for my $name (grep { $_ ne 'NULL' } keys %{ $code->{members}{$member} || {} }) {
        my @functions = grep { $_->{is_function} } @{ $code->{nodes}{$name} || [] };
        return () unless @functions;
        push @targets, @functions;
    }
    return @targets;
}

# Which of these statuses cannot come from these nodes.
sub unreachable {
    my ($code, $statuses, @todo) = @_;
    my %missing = map { $_ => 1 } @$statuses;
    my %seen;
    while (%missing && @todo) {
        my $node = shift @todo;
        next if $seen{$node}++;
        return () if $node->{is_open};
        delete $missing{$_} for $node->{body} =~ /$status/g;
        for my $member (@{ $node->{called} }) {
            my @targets = targets_of($code, $member) or return ();
            push @todo, @targets;
        }
        push @todo, map { nodes_of($code, $_, $node->{file}) } @{ $node->{names} };
    }
    return sort keys %missing;
}

# Statuses of a comment; those that a call in it is given are not its answers.
sub named_in {
    my ($text) = @_;
    $text =~ s/\bcohort_\w+\([^()]*\)//g;
    my %named = map { $_ => 1 } $text =~ /$status/g;
    return \%named;
}

# Statuses that stand in the body itself, other than to be compared.
sub answers_of {
    my ($node) = @_;
    my %answers = map { $_ => 1 } $node->{body} =~ /(?<![=!]= )(?<!case )($status)/g;
    return grep { !$general{$_} } sort keys %answers;
}

sub problems_of_group {
    my ($group, $code, $around) = @_;
    my @functions = grep { $_->{kind} eq 'function' && $_->{name} !~ /^cohort_plugin_entry_/ } @{ $group->{declarations} };
    return () unless @functions;
    my $named = named_in($group->{comment} // '');
    my $said = named_in(join "\n", $group->{comment} // '', $around);
    my (@problems, @nodes);
    for my $function (@functions) {
        my @own = nodes_of($code, $function->{name}, '');
        push @problems, "$function->{name}: no definition is found" unless @own;
        push @problems, map { "$function->{name}: answers $_, which the comment does not name" } grep { !$said->{$_} } map { answers_of($_) } @own;
        push @nodes, @own;
    }
    # Whoever is given a function, or a status, may answer what that says.
    return @problems if grep { $_->{text} =~ /_fn\b|\(\*|\bcohort_status \w+/ } map { @{ $_->{parameters} } } @functions;
    return @problems, map { "$group->{name}: $_ cannot come from it" } unreachable($code, [keys %$named], @nodes);
}

# problems_of BOOK, CODE: sentences.
sub problems_of {
    my ($book, $code) = @_;
    my @problems;
    for my $header (@{ $book->{headers} }) {
        for my $section (@{ $header->{sections} }) {
            my $around = join "\n", $header->{opening} // '', $section->{text};
            push @problems, map { "$header->{file}: $_" } map { problems_of_group($_, $code, $around) } @{ $section->{groups} };
        }
    }
    return @problems;
}

1;
