namespace Polyjuice.Tests.Shared;

/// <summary>A folder of its own for a test; gone afterwards.</summary>
public sealed class TestFolder : IDisposable
{
    public string Path { get; } = Directory.CreateTempSubdirectory("polyjuice-tests-").FullName;

    public string File(params string[] names) => System.IO.Path.Combine([Path, .. names]);

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
