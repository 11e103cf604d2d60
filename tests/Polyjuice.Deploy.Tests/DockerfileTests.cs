using System.Xml.Linq;

namespace Polyjuice.Deploy.Tests;

public sealed class DockerfileTests
{
    private const string Program = "samples/BankSilo/BankSilo.csproj";

    [Fact]
    public void Everything_that_it_copies_is_there()
    {
        foreach (var source in Dockerfile.Copied)
        {
            var folder = Path.Combine(Repository.Root, Path.GetDirectoryName(source)!);
            Assert.True(source.EndsWith('/') ? Directory.Exists(folder) : Directory.GetFiles(folder, Path.GetFileName(source)).Length > 0, source);
        }
    }

    [Fact]
    public void Every_project_that_the_program_refers_to_is_restored_and_compiled()
    {
        var projects = new HashSet<string>();
        Visit(Program);
        Assert.True(projects.Count >= 4);
        Assert.All(projects, project =>
        {
            Assert.Contains(project, Dockerfile.Copied);
            Assert.Contains(Path.GetDirectoryName(project) + "/", Dockerfile.Copied);
        });

        void Visit(string project)
        {
            if (!projects.Add(project)) return;
            var folder = Path.Combine(Repository.Root, Path.GetDirectoryName(project)!);
            var document = XDocument.Load(Path.Combine(Repository.Root, project));

            // What the image is built with, and so without what is for the other host.
            foreach (var reference in document.Descendants("ProjectReference").Where(reference => !IsForEmbedded(reference)))
                Visit(Path.GetRelativePath(Repository.Root, Path.Combine(folder, (string)reference.Attribute("Include")!)));
            foreach (var file in document.Descendants("Compile").Select(compile => (string?)compile.Attribute("Include")).OfType<string>().Where(file => file.StartsWith("..", StringComparison.Ordinal)))
            {
                var path = Path.GetRelativePath(Repository.Root, Path.GetFullPath(Path.Combine(folder, file)));
                Assert.Contains(Dockerfile.Copied, source => source.EndsWith('/') && path.StartsWith(source, StringComparison.Ordinal));
            }
        }

        static bool IsForEmbedded(XElement element) =>
            element.AncestorsAndSelf().Any(e => ((string?)e.Attribute("Condition"))?.Contains("== 'Embedded'", StringComparison.Ordinal) == true);
    }

    [Fact]
    public void It_starts_what_it_has_built_and_not_as_root()
    {
        Assert.Equal("[\"dotnet\", \"BankSilo.dll\"]", Dockerfile.EntryPoint);
        Assert.True(Dockerfile.User > 0);
        Assert.All(Dockerfile.Commands, command => Assert.Contains(Path.GetDirectoryName(Program)!, command, StringComparison.Ordinal));
        Assert.All(Dockerfile.Commands, command => Assert.Contains("-p:AzureTableClustering=true", command, StringComparison.Ordinal));
    }
}
