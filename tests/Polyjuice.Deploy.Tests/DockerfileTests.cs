using System.Xml.Linq;

namespace Polyjuice.Deploy.Tests;

public sealed class DockerfileTests
{
    public static TheoryData<string> Names => [.. Dockerfile.Silos.Keys, "trainer"];

    [Theory]
    [MemberData(nameof(Names))]
    public void Everything_that_it_copies_is_there(string name)
    {
        foreach (var source in Of(name).Copied)
        {
            var folder = Path.Combine(Repository.Root, Path.GetDirectoryName(source)!);
            Assert.True(
                source.EndsWith('/')
                    ? Directory.Exists(folder)
                    : Directory.GetFiles(folder, Path.GetFileName(source)).Length > 0,
                source);
        }
    }

    [Theory]
    [MemberData(nameof(Names))]
    public void Every_project_that_the_program_refers_to_is_restored_and_compiled(string name)
    {
        var dockerfile = Of(name);
        var projects = new HashSet<string>();
        Visit(dockerfile.Program);
        Assert.True(projects.Count >= 4);
        Assert.All(
            projects,
            project => Assert.True(
                project.StartsWith("src/", StringComparison.Ordinal)
                    || project.StartsWith("samples/", StringComparison.Ordinal),
                project));

        // A program whose framework the image has not does not start.
        if (projects.Any(
            project => XDocument.Load(Path.Combine(Repository.Root, project)).Descendants("FrameworkReference")
                .Any(reference => Include(reference) == "Microsoft.AspNetCore.App")))
            Assert.StartsWith("mcr.microsoft.com/dotnet/aspnet:", dockerfile.Base, StringComparison.Ordinal);
        Assert.All(projects, project =>
        {
            Assert.Contains(project, dockerfile.Copied);
            Assert.Contains(Path.GetDirectoryName(project) + "/", dockerfile.Copied);
        });

        void Visit(string project)
        {
            if (!projects.Add(project)) return;
            var folder = Path.Combine(Repository.Root, Path.GetDirectoryName(project)!);
            var document = XDocument.Load(Path.Combine(Repository.Root, project));
            foreach (var reference in document.Descendants("ProjectReference"))
                Visit(
                    Path.GetRelativePath(Repository.Root, Path.GetFullPath(Path.Combine(folder, Include(reference)))));
            foreach (var props in document.Descendants("Import")
                .Select(import => Path.GetFullPath(Path.Combine(folder, (string)import.Attribute("Project")!))))
            {
                foreach (var reference in XDocument.Load(props).Descendants("ProjectReference"))
                    Visit(
                        Path.GetRelativePath(
                            Repository.Root,
                            Path.GetFullPath(
                                Include(reference)
                                    .Replace(
                                        "$(MSBuildThisFileDirectory)",
                                        Path.GetDirectoryName(props) + "/",
                                        StringComparison.Ordinal))));
            }

            // And files of other folders, several by semicolons.
            foreach (var file in document.Descendants()
                .Where(
                    item => item.Name.LocalName is "Compile" or "EmbeddedResource" or "None"
                        && item.Attribute("Include") is not null)
                .SelectMany(item => Include(item).Split(';'))
                .Where(file => file.StartsWith("..", StringComparison.Ordinal)))
            {
                var path = Path.GetRelativePath(Repository.Root, Path.GetFullPath(Path.Combine(folder, file)));
                Assert.Contains(
                    dockerfile.Copied,
                    source => source.EndsWith('/') && path.StartsWith(source, StringComparison.Ordinal));
            }
        }

        static string Include(XElement element) => (string)element.Attribute("Include")!;
    }

    [Fact]
    public void They_start_what_they_have_built_and_not_as_root()
    {
        foreach (var dockerfile in (Dockerfile[])[.. Dockerfile.Silos.Values, Dockerfile.Trainer])
        {
            Assert.Equal(
                $"[\"dotnet\", \"{Path.GetFileNameWithoutExtension(dockerfile.Program)}.dll\"]",
                dockerfile.EntryPoint);
            Assert.True(dockerfile.User > 0);
            Assert.All(
                dockerfile.Commands,
                command => Assert.Contains(
                    Path.GetDirectoryName(dockerfile.Program)!, command, StringComparison.Ordinal));
        }
    }

    private static Dockerfile Of(string name) => Dockerfile.Silos.GetValueOrDefault(name, Dockerfile.Trainer);
}
