#pragma warning disable IDE1006, SA1300 // The kit names the member.
namespace Polyjuice.Orleans.Conformance.Storage;

/// <summary>What the storage runners store.</summary>
[GenerateSerializer]
public sealed class TestState : ITestState, IEquatable<TestState>
{
    [Id(0)]
    public int state { get; set; }

    public bool Equals(TestState? other) => other?.state == state;

    public override bool Equals(object? obj) => Equals(obj as TestState);

    public override int GetHashCode() => state;
}
