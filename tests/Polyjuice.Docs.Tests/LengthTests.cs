namespace Polyjuice.Docs.Tests;

/// <summary>A guide without repetition, and a read-me that is read at once.</summary>
public class LengthTests
{
    private const int WordsMax = 30_000;
    private const int ReadmeLinesMax = 120;
    private const int ColumnsMax = 120;

    [Fact]
    public void The_guide_stays_short() =>
        Assert.InRange(Page.Guide.Sum(static page => Words(page.Text)), 1, WordsMax);

    [Fact]
    public void The_readme_is_read_at_once() =>
        Assert.InRange(
            Page.All.Single(static page => page.Path == "README.md").Text.Split('\n').Length, 1, ReadmeLinesMax + 1);

    /// <summary>Rules of tables and bullets are no words.</summary>
    private static int Words(string text) =>
        text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries)
            .Count(static word => word.Any(char.IsLetterOrDigit));

    [Fact]
    public void Prose_fits_a_screen()
    {
        // Rows of tables can't be broken.
        var wide = Page.Guide.SelectMany(static page => page.Prose
            .Where(static line => line.Text.Length > ColumnsMax && !line.Text.StartsWith('|'))
            .Select(line => $"{page.Path}:{line.Number}"));

        Assert.True(!wide.Any(), string.Join(Environment.NewLine, wide));
    }
}
