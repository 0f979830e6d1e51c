/* SPDX-License-Identifier: BSD-3-Clause */
/* Magic numbers, each with a sentence. Most are short, and a text may begin with some of them, so
 * they count where the bytes are no text; the others are long enough for any file.
 *
 * Source  the formats' specifications; file(1) has the same numbers. */
#include "config.h"

#include "cli/foreign.h"

#include "cli/ascii.h"

#include <string.h>

typedef struct mark {
    size_t at;
    const char *bytes;
    size_t n;
    const char *what;
} mark;
#define MARK(at, bytes, what)                                                                      \
    {                                                                                              \
        at, bytes, sizeof(bytes) - 1, what                                                         \
    }

#define UNPACK(name, command) name ": unpack it with " command
#define AS_ARRAYS(name, how) name ": save its arrays as .npz, such as by " how
#define AS_TABLE(name, how) name ": save the table as CSV, such as by " how
#define TORCH "numpy.savez(NEW, x=torch.load(FILE)['x'].numpy())"
#define PICKLE "numpy.savez, if you trust who made it"
#define IMAGE "an image: read all of them, and save the pixels as one array with numpy.savez"
#define PAGE(name)                                                                                 \
    name ", which a server may answer instead of a file: look at it, and fetch the file itself; "  \
         "--format text reads its lines"

static const mark marks[] = {
    MARK(0, "\x89HDF\r\n\x1a\n",
         AS_ARRAYS("an HDF5 file, as Keras, h5py, pandas and MATLAB 7.3 write",
                   "numpy.savez(NEW, x=h5py.File(FILE)['x'])")),
    MARK(0, "MATLAB 5.0 MAT-file",
         AS_ARRAYS("a MATLAB file", "numpy.savez(NEW, x=scipy.io.loadmat(FILE)['x'])")),
    MARK(0, "CDF\x01", AS_ARRAYS("a NetCDF file", "numpy.savez and xarray.open_dataset(FILE)")),
    MARK(0, "CDF\x02", AS_ARRAYS("a NetCDF file", "numpy.savez and xarray.open_dataset(FILE)")),
    MARK(0, "PAR1",
         AS_TABLE("a Parquet file", "pandas.read_parquet(FILE).to_csv(NEW, index=False)")),
    MARK(0, "PARE",
         AS_TABLE("an encrypted Parquet file",
                  "pandas.read_parquet(FILE).to_csv(NEW, index=False)")),
    MARK(
        0, "ARROW1",
        AS_TABLE("an Arrow or Feather file", "pandas.read_feather(FILE).to_csv(NEW, index=False)")),
    MARK(0, "FEA1",
         AS_TABLE("a Feather file", "pandas.read_feather(FILE).to_csv(NEW, index=False)")),
    MARK(0, "ORC", AS_TABLE("an ORC file", "pandas.read_orc(FILE).to_csv(NEW, index=False)")),
    MARK(0, "Obj\x01", AS_TABLE("an Avro file", "fastavro")),
    MARK(0, "SQLite format 3", AS_TABLE("an SQLite database", "sqlite3 -csv FILE QUERY")),
    MARK(0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
         AS_TABLE("an old document of Excel or Word (.xls, .doc)",
                  "pandas.read_excel(FILE).to_csv(NEW, index=False)")),
    MARK(0, "RDX2\n", AS_TABLE("an R workspace", "write.csv(x, NEW, row.names = FALSE)")),
    MARK(0, "RDX3\n", AS_TABLE("an R workspace", "write.csv(x, NEW, row.names = FALSE)")),
    MARK(0, "X\n\0\0\0\2", AS_TABLE("an R object", "write.csv(readRDS(FILE), NEW)")),
    MARK(0, "X\n\0\0\0\3", AS_TABLE("an R object", "write.csv(readRDS(FILE), NEW)")),
    MARK(0, "\x80\x02\x8a\nl\xfc\x9c\x46", AS_ARRAYS("a file of old PyTorch", TORCH)),
    MARK(0, "\x80\x02}", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "\x80\x02]", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "\x80\x02c", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "\x80\x03}", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "\x80\x03]", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "\x80\x03c", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "\x80\x04\x95", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "\x80\x05\x95", AS_ARRAYS("a Python pickle", PICKLE)),
    MARK(0, "GGUF", AS_ARRAYS("a GGUF file", "numpy.savez and gguf.GGUFReader(FILE)")),
    MARK(0, "(\xb5/\xfd", UNPACK("a file packed by zstd", "zstd -d FILE")),
    MARK(0,
         "\xfd"
         "7zXZ",
         UNPACK("a file packed by xz", "xz -dk FILE")),
    MARK(0, "BZh", UNPACK("a file packed by bzip2", "bzip2 -dk FILE")),
    MARK(0, "\x04\"M\x18", UNPACK("a file packed by lz4", "lz4 -d FILE")),
    MARK(0, "LZIP", UNPACK("a file packed by lzip", "lzip -dk FILE")),
    MARK(0, "\x1f\x9d", UNPACK("a file packed by compress", "uncompress -c FILE > NEW")),
    MARK(0, "7z\xbc\xaf\x27\x1c", UNPACK("an archive of 7-Zip", "7z x FILE")),
    MARK(0, "Rar!\x1a\x07", UNPACK("a RAR archive", "unrar x FILE")),
    MARK(257, "ustar", UNPACK("a tar archive", "tar -xf FILE")),
    MARK(0, "\x89PNG\r\n\x1a\n", IMAGE),
    MARK(0, "\xff\xd8\xff", IMAGE),
    MARK(0, "GIF8", IMAGE),
    MARK(0, "%PDF-", "a PDF file, whose tables are pictures: ask for the data that it was made of"),
};

/* Beginnings in letters: of files that stand for another, above all. */
static const mark texts[] = {
    MARK(0, "SIMPLE  =", AS_ARRAYS("a FITS file", "numpy.savez and astropy.io.fits.getdata(FILE)")),
    MARK(0, "version https://git-lfs.github.com/spec/",
         "a pointer of Git LFS, not the file itself: git lfs pull fetches it"),
    MARK(0, "/annex/objects/",
         "a pointer of git-annex, not the file itself: git annex get FILE fetches it"),
    MARK(0, "<!doctype html", PAGE("an HTML page")),
    MARK(0, "<html", PAGE("an HTML page")),
    MARK(0, "<head", PAGE("an HTML page")),
    MARK(0, "<?xml", PAGE("an XML file")),
};

/* Names of first members of zip files, by how they end. */
static const struct {
    const char *end, *what;
} members[] = {
    { ".xml", AS_TABLE("a document of Excel, Word or their like (.xlsx, .docx)",
                       "pandas.read_excel(FILE).to_csv(NEW, index=False)") },
    { ".rels", AS_TABLE("a document of Excel, Word or their like (.xlsx, .docx)",
                        "pandas.read_excel(FILE).to_csv(NEW, index=False)") },
    { "mimetype", AS_TABLE("an OpenDocument file (.ods, .odt)",
                           "pandas.read_excel(FILE).to_csv(NEW, index=False)") },
    { "data.pkl", AS_ARRAYS("a PyTorch file", TORCH) },
    { "/version", AS_ARRAYS("a PyTorch file", TORCH) },
    { "metadata.json", AS_ARRAYS("a Keras model", "numpy.savez(NEW, *model.get_weights())") },
    { ".csv", UNPACK("a zip file of CSV, not CSV itself", "unzip FILE") },
    { ".tsv", UNPACK("a zip file of a table, not the table itself", "unzip FILE") },
    { ".txt", UNPACK("a zip file of text, not the text itself", "unzip FILE") },
    { ".tfrecord", UNPACK("a zip file of TFRecord, not TFRecord itself", "unzip FILE") },
};

static bool has_mark(const file_peek *peek, const mark *m)
{
    return peek->n >= m->at + m->n && memcmp(peek->bytes + m->at, m->bytes, m->n) == 0;
}

/* Behind a byte order mark and blank lines, in any case; a zero byte ends what was looked at. */
static const char *find_text(const file_peek *peek)
{
    const char *text = (const char *)peek->bytes;
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    text += strspn(text, " \t\r\n");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (ascii_begins(text, texts[i].bytes))
            return texts[i].what;
    return NULL;
}

const char *foreign_find(const file_peek *peek)
{
    const char *what = find_text(peek);
    if (what != NULL || file_peek_is_text(peek))
        return what;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (has_mark(peek, &marks[i]))
            return marks[i].what;
    return NULL;
}

/* The first header of a zip file has the length of the name 26 bytes behind its beginning, and the
 * name 30. Source: PKWARE, APPNOTE 4.3.7. */
const char *foreign_zip(const file_peek *peek)
{
    enum { LENGTH_AT = 26, NAME_AT = 30 };
    size_t bytes =
        peek->n > NAME_AT ? peek->bytes[LENGTH_AT] + 256u * peek->bytes[LENGTH_AT + 1] : 0;
    const char *name = (const char *)peek->bytes + NAME_AT;
    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        size_t end = strlen(members[i].end);
        if (bytes >= end && NAME_AT + bytes <= peek->n &&
            ascii_begins(name + bytes - end, members[i].end))
            return members[i].what;
    }
    return "a zip file without an array; expected members whose names end in .npy: unzip FILE, and "
           "read what is in it";
}
