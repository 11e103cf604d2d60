namespace Polyjuice.Docs.Tests;

/// <summary>A guide without repetition, and a read-me that is read at once.</summary>
public class LengthTests
{
    private const int WordsMax = 40_000;
    private const int ReadmeLinesMax = 120;
    private const int ColumnsMax = 120;

    [Fact]
    public void The_guide_stays_short() =>
        Assert.InRange(Page.Guide.Sum(static page => page.Text.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries).Length), 1, WordsMax);

    [Fact]
    public void The_readme_is_read_at_once() =>
        Assert.InRange(Page.All.Single(static page => page.Path == "README.md").Text.Split('\n').Length, 1, ReadmeLinesMax + 1);

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
