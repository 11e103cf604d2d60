using Polyjuice.Lab.Tool;

namespace Polyjuice.Docs.Tests;

public class PictureTests
{
    [Fact]
    public async Task The_readme_s_picture_is_what_its_command_draws()
    {
        var drawn = Path.Combine(Directory.CreateTempSubdirectory("polyjuice-docs").FullName, "rates.svg");

        var exitCode = await LabCommandLine.RunAsync(
            [
                "bench", "table", Repository.PathOf("docs/results/smallbank-2-silos.json"),
                Repository.PathOf("docs/results/multitransfer-2-silos.json"), "--arms",
                "locking,occ,ic3,orleans,orleans-100ms", "--svg", drawn,
            ],
            TextWriter.Null, TextWriter.Null);

        Assert.Equal(0, exitCode);
        Assert.Equal(Repository.Read("docs/results/rates.svg"), await File.ReadAllTextAsync(drawn));
        Directory.Delete(Path.GetDirectoryName(drawn)!, recursive: true);
    }
}
