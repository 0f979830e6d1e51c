#!/usr/bin/perl
# SPDX-License-Identifier: BSD-3-Clause
# The reference, from the comments of the public headers:
#
#   reference.pl --check HEADER...                         what is missing in the comments, or untrue; exit 1 if anything
#   reference.pl --check --sources FOLDER HEADER...        and which statuses they name wrongly, by the sources of the library
#   reference.pl --out FOLDER --date DATE --version VERSION HEADER...
#                                                          FOLDER/man3/*.3 and FOLDER/html/reference/*
use strict;
use warnings;
use File::Basename qw(dirname);
use File::Find qw(find);
use File::Path qw(make_path);
use Getopt::Long qw(GetOptions);
use lib dirname($0) . '/reference';
use Check;
use Headers;
use Html;
use Mdoc;
use Pages;
use Statuses;

# What is C below a folder.
sub sources_below {
    my @sources;
    find({ no_chdir => 1, wanted => sub { push @sources, $_ if /\.[ch]$/ } }, $_[0]);
    return sort @sources;
}

sub write_files {
    my ($folder, $files) = @_;
    make_path($folder);
    unlink glob "$folder/*";
    for my $name (sort keys %$files) {
        open my $out, '>', "$folder/$name" or die "$folder/$name: $!\n";
        print {$out} $files->{$name};
        close $out or die "$folder/$name: $!\n";
    }
    return;
}

my $usage = "usage: reference.pl --check [--sources FOLDER] | --out FOLDER --date DATE --version VERSION, HEADER...\n";
my %is;
GetOptions(\%is, 'check', 'sources=s', 'out=s', 'date=s', 'version=s') or die $usage;
die $usage unless @ARGV && ($is{check} || ($is{out} && $is{date} && $is{version}));
my @paths = sort grep { /\.h$/ } @ARGV;
Headers::read_lists($_) for @paths;
my $book = Pages::pages_of(map { Headers::read_header($_) } @paths);
if ($is{check}) {
    my @problems = Check::problems_of($book);
    push @problems, Statuses::problems_of($book, Statuses::read_sources(sources_below($is{sources}), @paths)) if $is{sources};
    print "$_\n" for @problems;
    exit(@problems > 0);
}
write_files("$is{out}/man3", Mdoc::files_of($book, $is{date}, $is{version}));
write_files("$is{out}/html/reference", Html::files_of($book, $is{version}));
