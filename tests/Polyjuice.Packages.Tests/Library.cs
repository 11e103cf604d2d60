namespace Polyjuice.Packages.Tests;

/// <summary>
/// A package with an assembly to compile against, as it should be. What is added here comes into every application that
/// installs the package.
/// </summary>
/// <param name="Id">Its name.</param>
/// <param name="Dependencies">The packages that it brings along.</param>
internal sealed record Library(string Id, params string[] Dependencies)
{
    private const string AspNetCore = "Microsoft.AspNetCore.App";

    /// <summary>All of them.</summary>
    public static IReadOnlyList<Library> All { get; } =
    [
        new("Polyjuice.CommandLine", "Polyjuice.Engine", "Polyjuice.Training", "Spectre.Console", "System.CommandLine"),
        new("Polyjuice.Engine", "Microsoft.Extensions.Logging.Abstractions") { Assembly = "Polyjuice" },
        new("Polyjuice.Isolation"),
        new("Polyjuice.LiveView", "Polyjuice.Engine") { Frameworks = [AspNetCore] },
        new(
            "Polyjuice.Orleans",
            "Microsoft.Extensions.Diagnostics.HealthChecks",
            "Microsoft.Extensions.Options.DataAnnotations",
            "Microsoft.Orleans.Runtime",
            "Microsoft.Orleans.Sdk",
            "Microsoft.Orleans.Transactions",
            "Polyjuice.Engine") { Analyzers = ["Polyjuice.Analyzers", "Polyjuice.Analyzers.CodeFixes"] },
        new("Polyjuice.Simulation", "Polyjuice.Engine", "Polyjuice.Isolation"),
        new("Polyjuice.Storage.AzureBlobs", "Azure.Storage.Blobs", "Polyjuice.Orleans"),
        new("Polyjuice.Storage.PostgreSql", "Npgsql", "Polyjuice.Orleans"),
        new("Polyjuice.Storage.Redis", "Polyjuice.Orleans", "StackExchange.Redis"),
        new(
            "Polyjuice.Testing",
            "Microsoft.Orleans.Sdk",
            "Microsoft.Orleans.TestingHost",
            "Polyjuice.Isolation",
            "Polyjuice.Orleans"),
        new(
            "Polyjuice.Training",
            "MathNet.Numerics",
            "Microsoft.Extensions.Hosting",
            "Microsoft.ML",
            "Microsoft.ML.FastTree",
            "Polyjuice.Engine",
            "Polyjuice.Simulation"),
        new(
            "Polyjuice.Training.Cluster",
            "Microsoft.Orleans.Sdk",
            "Polyjuice.CommandLine",
            "Polyjuice.Testing",
            "Polyjuice.Training",
            "System.CommandLine"),
        new(
            "Polyjuice.Training.Orleans",
            "Microsoft.Orleans.Runtime",
            "Microsoft.Orleans.Sdk",
            "Polyjuice.Orleans",
            "Polyjuice.Training"),
    ];

    /// <summary>Its assembly's name.</summary>
    public string Assembly { get; init; } = Id;

    /// <summary>The assemblies that compilers and editors load where it is installed.</summary>
    public IReadOnlyList<string> Analyzers { get; init; } = [];

    /// <summary>The shared frameworks that it needs, beside .NET's own.</summary>
    public IReadOnlyList<string> Frameworks { get; init; } = [];

    /// <summary>The one of a name.</summary>
    public static Library Of(string id) => All.Single(library => library.Id == id);
}
