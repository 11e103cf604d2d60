using Polyjuice.Policies;
using Polyjuice.Training.Races;

namespace Polyjuice.Training.Tests.Races;

/// <summary>A track on which each table makes what it is told to, on a machine whose speed may change.</summary>
internal sealed class RaceTrack : IRaceTrack
{
    private Random _random = new(1);
    private double _noise;
    private double _speed = 1;

    /// <summary>What each table makes, by its name and the round.</summary>
    public Dictionary<string, Func<int, double>> Rates { get; } = [];

    /// <summary>Rounds and names, in the order in which they were measured.</summary>
    public List<string> Measured { get; } = [];

    /// <summary>What the speed is multiplied by with each measurement.</summary>
    public double Drift { get; set; } = 1;

    /// <summary>Lets each measurement be off by up to a share.</summary>
    public void Noise(double share, int seed) => (_noise, _random) = (share, new Random(seed));

    /// <summary>A table that makes so much.</summary>
    public PolicyDocument Table(string name, double rate) => Table(name, _ => rate);

    /// <summary>A table that makes so much in a round.</summary>
    public PolicyDocument Table(string name, Func<int, double> rate)
    {
        Rates[name] = rate;
        return BuiltinPolicies.Get("occ").Document with { Name = name };
    }

    public Task<double> MeasureAsync(PolicyDocument table, int round, CancellationToken cancellationToken)
    {
        cancellationToken.ThrowIfCancellationRequested();
        Measured.Add($"{round} {table.Name}");
        _speed *= Drift;
        var off = 1 + (_noise * ((2 * _random.NextDouble()) - 1));
        return Task.FromResult(Rates[table.Name](round) * _speed * off);
    }
}
