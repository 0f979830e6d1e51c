# SPDX-License-Identifier: BSD-3-Clause
# Pages as HTML: one file for each header, an index of all names, and the same as a table for the search.
package Html;
use strict;
use warnings;
use Comment;
use Pages;

# files_of BOOK VERSION: { FILE => text }
sub files_of {
    my ($book, $version) = @_;
    my %files;
    my ($all) = grep { $_->{file} eq 'cohort.h' } @{ $book->{headers} };
    for my $header (@{ $book->{headers} }) {
        next if $all && $header == $all;
        $files{ file_of($header) } = page($book, $version, $header->{file}, header_body($header, $book), $header);
    }
    $files{'index.html'} = page($book, $version, 'Reference', index_body($book, $all));
    $files{'names.html'} = page($book, $version, 'All names', names_body($book));
    $files{'names.js'} = names_table($book);
    return \%files;
}

sub file_of {
    my ($header) = @_;
    return 'index.html' if $header->{file} eq 'cohort.h';
    return $header->{file} =~ s/\.h$/.html/r;
}

sub link_of {
    my ($name, $book) = @_;
    my $page = $book->{names}{$name}{page};
    return file_of($page) . '#top' if Pages::is_header($page);
    return file_of($page->{header}) . "#$name";
}

sub page {
    my ($book, $version, $title, $body, $here) = @_;
    my $headers = join '', map {
        my $current = $here && $_ == $here ? ' aria-current="page"' : '';
        '<li><a href="' . file_of($_) . "\"$current>$_->{file}</a></li>\n";
    } grep { $_->{file} ne 'cohort.h' } @{ $book->{headers} };
    return <<"END_OF_PAGE";
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${\text($title)} - Cohort</title>
<link rel="stylesheet" href="../style.css">
<script src="names.js" defer></script>
<script src="search.js" defer></script>
</head>
<body id="top">
<header>
<a class="home" href="index.html">Cohort $version reference</a>
<form class="search" role="search" action="names.html">
<input type="search" id="search" placeholder="Search names (press /)" aria-label="Search names" autocomplete="off"
 role="combobox" aria-expanded="false" aria-controls="found" aria-autocomplete="list">
<ul id="found" role="listbox" aria-label="Names found" hidden></ul>
</form>
</header>
<div class="columns">
<nav aria-label="Headers">
<details open>
<summary>Headers</summary>
<ul>
$headers</ul>
<p><a href="names.html">All names</a></p>
</details>
</nav>
<main>
$body</main>
</div>
<footer>Made from the comments of the public headers of Cohort $version. BSD-3-Clause.</footer>
</body>
</html>
END_OF_PAGE
}

sub header_body {
    my ($header, $book) = @_;
    my $html = "<h1>$header->{file}</h1>\n";
    $html .= "<pre>#include &lt;cohort/$header->{file}&gt;" . ($header->{include} eq 'cohort.h' ? '  /* or cohort/cohort.h */' : '') . "</pre>\n";
    $html .= blocks(Comment::blocks($header->{opening}), $book);
    $html .= "<table>\n<caption>What is here</caption>\n<thead><tr><th scope=\"col\">Name</th><th scope=\"col\">What it is</th></tr></thead>\n<tbody>\n";
    my @sections = grep { @{ $_->{groups} } } @{ $header->{sections} };
    for my $group (map { @{ $_->{groups} } } @sections) {
        $html .= '<tr><td>' . join(' ', map { "<a href=\"#$_\"><code>$_</code></a>" } Pages::names_of($group)) . '</td><td>'
            . inline(Pages::summary_of($group), $book) . "</td></tr>\n";
    }
    $html .= "</tbody>\n</table>\n";
    for my $section (@sections) {
        $html .= '<h2>' . inline($section->{title}, $book) . "</h2>\n" if $section->{title} ne '';
        $html .= blocks(Comment::blocks($section->{text}), $book);
        $html .= group($_, $book) for @{ $section->{groups} };
    }
    return $html;
}

sub group {
    my ($group, $book) = @_;
    my $parts = Pages::parts_of($group);
    my @others = grep { $_ ne $group->{name} } Pages::names_of($group);
    my $html = "<section class=\"entry\">\n<h3 id=\"$group->{name}\"><a href=\"#$group->{name}\">$group->{name}</a></h3>\n";
    $html .= '<pre class="synopsis">' . join("\n", map { synopsis($_, $group, $book) } @{ $group->{declarations} }) . "</pre>\n";
    $html .= blocks($parts->{description}, $book);
    for my $one (@{ $group->{declarations} }) {
        my @members = grep { $_->{comment} } @{ $one->{members} || [] };
        $html .= members($one, \@members, $book) if @members;
    }
    my @notes = grep { defined $_->{note} && $_->{note} ne '' } @{ $group->{declarations} };
    $html .= rows(map { ["<code>$_->{name}</code>", inline($_->{note}, $book)] } @notes) if @notes;
    my %titles = (returns => 'Returns', errors => 'Errors', examples => 'Example');
    for my $part (qw(returns errors examples)) {
        $html .= "<h4>$titles{$part}</h4>\n" . blocks($parts->{$part}, $book) if @{ $parts->{$part} };
    }
    return "$html</section>\n";
}

# A declaration, whose name, and whose constants, are where links lead.
sub synopsis {
    my ($one, $group, $book) = @_;
    my $text;
    if ($one->{call}) {
        $text = call($one->{call}{returns}, $one->{name}, @{ $one->{call}{parameters} });
    } elsif ($one->{kind} eq 'function') {
        $text = call($one->{returns}, $one->{name}, @{ $one->{parameters} });
    } elsif ($one->{kind} eq 'macro') {
        my $list = $one->{parameters} ? '(' . join(', ', map { $_->{name} } @{ $one->{parameters} }) . ')' : '';
        $text = "#define $one->{name}$list" . ($one->{body} =~ /^(\(?-?\d+u?\)?|".*")$/ && !$one->{parameters} ? " $1" : '');
    } else {
        $text = $one->{text};
    }
    my %is_here = map { $_ => 1 } $one->{name}, map { $_->{name} } $one->{kind} =~ /^(enum|constants)$/ ? @{ $one->{members} } : ();
    delete $is_here{ $group->{name} };
    my %is_done;
    $text = text($text);
    $text =~ s{\b((?:cohort|COHORT)_\w+)\b}{
        my $name = $1;
        $is_here{$name} && !$is_done{$name}++ ? "<b id=\"$name\">$name</b>" : $name eq $one->{name} ? "<b>$name</b>" : name($name, $book, $group)
    }ge;
    return $text;
}

# A call as C has it, one parameter a line where it is long.
sub call {
    my ($returns, $name, @parameters) = @_;
    my $head = $returns . ($returns =~ /\*$/ ? '' : ' ') . "$name(";
    my @texts = @parameters ? map { $_->{text} } @parameters : 'void';
    my $line = $head . join(', ', @texts) . ');';
    return length $line <= 90 ? $line : $head . "\n    " . join(",\n    ", @texts) . ');';
}

sub members {
    my ($one, $members, $book) = @_;
    return rows(map { ['<code>' . join(', ', @{ $_->{names} }) . '</code>', inline($_->{comment}, $book)] } @$members)
        unless grep { $_->{parameters} } @$members;
    return join '', map {
        my $id = "$one->{name}.$_->{name}";
        "<h4 id=\"$id\"><a href=\"#$id\">" . join(', ', @{ $_->{names} }) . "</a></h4>\n"
            . ($_->{parameters} ? '<pre class="synopsis">' . text(Pages::slot_text($_)) . "</pre>\n" : '')
            . blocks(Comment::blocks($_->{comment}), $book);
    } @$members;
}

sub rows {
    return "<dl>\n" . join('', map { "<dt>$_->[0]</dt>\n<dd>$_->[1]</dd>\n" } @_) . "</dl>\n";
}

sub index_body {
    my ($book, $all) = @_;
    my $html = "<h1>Cohort reference</h1>\n";
    $html .= "<pre>#include &lt;cohort/cohort.h&gt;</pre>\n<p>has everything that a program needs. Each header says first what it is about,\n"
        . "then what each of its names does. The same is in <code>man cohort_reduce</code>, for each name, and <code>man cohort_reduce.h</code>.</p>\n";
    for my $of_all (1, 0) {
        my @headers = grep { $_->{file} ne 'cohort.h' && ($_->{include} eq 'cohort.h') == $of_all } @{ $book->{headers} };
        $html .= '<h2>' . ($of_all ? 'For programs' : 'Apart, to be included by name') . "</h2>\n";
        $html .= rows(map { ['<a href="' . file_of($_) . "\"><code>$_->{file}</code></a>", inline(Pages::header_summary($_), $book)] } @headers);
    }
    return $html;
}

sub names_body {
    my ($book) = @_;
    my @names = sort { lc $a cmp lc $b || $a cmp $b } keys %{ $book->{names} };
    return "<h1>All names</h1>\n<ul class=\"names\">\n"
        . join('', map { '<li><a href="' . link_of($_, $book) . "\"><code>$_</code></a></li>\n" } @names) . "</ul>\n";
}

# [name, kind, link, summary] each.
sub names_table {
    my ($book) = @_;
    my $quoted = sub { my $s = $_[0]; $s =~ s/(["\\])/\\$1/g; return "\"$s\"" };
    my %words = (struct => 'type', enum => 'type', opaque => 'type', callback => 'type', constants => 'constant');
    my @rows;
    for my $name (sort keys %{ $book->{names} }) {
        my ($page, $kind) = @{ $book->{names}{$name} }{qw(page kind)};
        my $summary = Pages::is_header($page) ? Pages::header_summary($page) : Pages::summary_of($page);
        push @rows, '[' . join(', ', map { $quoted->($_) } $name, $words{$kind} // $kind, link_of($name, $book), $summary =~ s/`//gr) . ']';
    }
    return "/* SPDX-License-Identifier: BSD-3-Clause */\nvar cohortNames = [\n" . join(",\n", @rows) . "\n];\n";
}

sub blocks {
    my ($blocks, $book) = @_;
    my $html = '';
    for my $block (@$blocks) {
        if ($block->{kind} eq 'paragraph') {
            $html .= '<p>' . inline($block->{text}, $book) . "</p>\n";
        } elsif ($block->{kind} eq 'code') {
            $html .= '<pre>' . linked_code($block->{text}, $book) . "</pre>\n";
        } elsif ($block->{kind} eq 'bullets') {
            $html .= "<ul>\n" . join('', map { '<li>' . inline($_, $book) . "</li>\n" } @{ $block->{items} }) . "</ul>\n";
        } else {
            $html .= rows(map { [tag($_->{tag}), item($_->{text}, $book)] } @{ $block->{items} });
        }
    }
    return $html;
}

sub tag {
    return '<code>' . text($_[0]) . '</code>';
}

sub item {
    my ($text, $book) = @_;
    my $blocks = Comment::blocks($text);
    return @$blocks == 1 && $blocks->[0]{kind} eq 'paragraph' ? inline($blocks->[0]{text}, $book) : blocks($blocks, $book);
}

sub linked_code {
    my ($code, $book) = @_;
    my $html = text($code);
    $html =~ s/\b((?:cohort|COHORT)_\w+)\b/name($1, $book)/ge;
    return $html;
}

sub name {
    my ($name, $book, $group) = @_;
    my $known = $book->{names}{$name};
    return $name if !$known || ($group && $known->{page} == $group);
    return '<a href="' . link_of($name, $book) . "\">$name</a>";
}

sub inline {
    my ($text, $book) = @_;
    $text =~ s/\s+/ /g;
    my %headers = map { $_->{file} => $_ } @{ $book->{headers} };
    return join '', map {
        my ($kind, $string) = @$_;
        $kind eq 'name' ? '<code>' . name($string, $book) . '</code>'
            : $kind eq 'header' && $headers{ $string =~ s{^cohort/}{}r } ? '<a href="' . file_of($headers{ $string =~ s{^cohort/}{}r }) . "\"><code>$string</code></a>"
            : $kind eq 'text' ? text($string) : '<code>' . text($string) . '</code>';
    } Pages::inline($text, $book);
}

sub text {
    my ($text) = @_;
    my %entities = ('&' => '&amp;', '<' => '&lt;', '>' => '&gt;', '"' => '&quot;');
    $text =~ s/([&<>"])/$entities{$1}/g;
    return $text;
}

1;
