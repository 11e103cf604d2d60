using System.Text.Json;

namespace Polyjuice.Policies;

/// <summary>
/// Guesses what tables would make of a load: for each, the logarithm of its throughput relative to the best one's, as
/// the sum of regression trees (Friedman, 2001). Trained by <c>polyjuice-lab train chooser fit</c>. Immutable and
/// thread-safe.
/// </summary>
internal sealed record ChoiceModel
{
    private const string Resource = "choice/model.json";

    private static readonly Lazy<ChoiceModel> _shipped = new(Load);

    /// <summary>The one that comes with the library.</summary>
    public static ChoiceModel Shipped => _shipped.Value;

    /// <summary>The names of the features, in the order of examples.</summary>
    public required IReadOnlyList<string> Features { get; init; }

    /// <summary>The tables to choose among; the first one is in force until something is known.</summary>
    public required IReadOnlyList<ChoiceTable> Tables { get; init; }

    /// <summary>What each table would make: higher is better.</summary>
    /// <param name="features">Of the load, in the order of <see cref="Features"/>.</param>
    public double[] Guess(ReadOnlySpan<float> features)
    {
        var guesses = new double[Tables.Count];
        for (var table = 0; table < guesses.Length; table++) guesses[table] = Tables[table].Of(features);
        return guesses;
    }

    /// <summary>Reads one.</summary>
    /// <exception cref="JsonException">It is something else, or a tree of it is broken.</exception>
    public static ChoiceModel Read(Stream stream)
    {
        var model = JsonSerializer.Deserialize<ChoiceModel>(stream, JsonSerializerOptions.Web)
            ?? throw new JsonException("There is no model.");
        if (model.Tables.Count == 0) throw new JsonException("The model has no tables.");
        foreach (var table in model.Tables)
        {
            if (table.Trees.Any(tree => !tree.IsWhole(model.Features.Count)))
                throw new JsonException($"A tree of the table \"{table.Name}\" is broken.");
        }

        return model;
    }

    private static ChoiceModel Load()
    {
        using var stream = typeof(ChoiceModel).Assembly.GetManifestResourceStream(Resource)
            ?? throw new InvalidOperationException($"The library was built without {Resource}.");
        return Read(stream);
    }
}

/// <summary>A table of a <see cref="ChoiceModel"/>.</summary>
internal sealed record ChoiceTable
{
    /// <summary>A built-in policy's name.</summary>
    public required string Name { get; init; }

    /// <summary>What is guessed before any tree has looked.</summary>
    public double Bias { get; init; }

    /// <summary>Each adds to the guess.</summary>
    public required IReadOnlyList<RegressionTree> Trees { get; init; }

    /// <summary>What is guessed of it.</summary>
    public double Of(ReadOnlySpan<float> features)
    {
        var sum = Bias;
        foreach (var tree in Trees) sum += tree.Of(features);
        return sum;
    }
}
