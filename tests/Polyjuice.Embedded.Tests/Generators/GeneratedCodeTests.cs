namespace Polyjuice.Embedded.Tests.Generators;

public sealed class GeneratedCodeTests
{
    [Theory]
    [InlineData("public interface IEmpty : IGrainWithGuidKey { }")]
    [InlineData("public partial interface IPart : IGrainWithIntegerKey { Task A(); } public partial interface IPart : IDisposable2 { Task B(); } public interface IDisposable2 { Task C(); }")]
    [InlineData("public interface IA : IGrainWithStringKey { Task M(); } public interface IB : IA { new Task M(); } public interface IC : IA, IB { }")]
    [InlineData("public class Outer { public interface IGrain1 : IGrainWithStringKey { Task @event(string @class, int? a = null, params object[] more); } }")]
    [InlineData("public interface IDefault : IGrainWithStringKey { Task M() => Task.CompletedTask; static int Helper() => 1; }")]
    [InlineData("public interface ITuples : IGrainWithStringKey { Task<(int A, string? B)> M((List<string?> X, Dictionary<string, int?>? Y) a, dynamic b); }")]
    [InlineData("namespace N { [System.Obsolete] public interface IOld : IGrainWithStringKey { [System.Obsolete] Task M(); } }")]
    [InlineData("namespace A { public interface IG : IGrainWithStringKey { } } namespace B { public interface IG : IGrainWithStringKey { } } namespace A_B { public interface IG : IGrainWithStringKey { } }")]
    [InlineData("[GenerateSerializer] public class Empty { } [GenerateSerializer] public struct None { } [GenerateSerializer] public abstract class Base { }")]
    [InlineData("[GenerateSerializer] public class C<T, U> where T : class, IComparable<T>, new() where U : unmanaged { [Id(0)] public T? A; [Id(1)] private U _b; public U B() => _b; public C(U b) => _b = b; }")]
    [InlineData("[GenerateSerializer] public record R(int A, string? B = null) { public R(R other, int a) : this(a) { } [Id(0)] public int @class { get; init; } } [GenerateSerializer] public record D(int A, int C) : R(A);")]
    [InlineData("[GenerateSerializer] public readonly struct S { [Id(0)] private readonly int _a; [Id(1)] public int B { get; init; } public S(int a) { _a = a; B = _a; } }")]
    [InlineData("[GenerateSerializer] public class P { [Id(0)] private int A { get => _a; set => _a = value; } private int _a; [Id(1)] public virtual int B { get; set; } [Id(2)] public string? C { get; protected set; } }")]
    [InlineData("[GenerateSerializer] public class Q { [Id(0)] public required int A { get; init; } [Id(1), System.Obsolete] public dynamic? Old; }")]
    [InlineData("[GenerateSerializer] public class Node { [Id(0)] public Node? Next; [Id(1)] public Node?[]? Others; }")]
    [InlineData("[GenerateSerializer(IncludePrimaryConstructorParameters = false)] public record Bare(Action A) { [Id(0)] public int B; }")]
    [InlineData("[GenerateSerializer] public class Failed : Exception { [Id(0)] public int Code { get; set; } } [GenerateSerializer] public class FailedMore : Failed { [Id(0)] public int More { get; set; } }")]
    [InlineData("[GenerateSerializer] public enum E : ulong { A = ulong.MaxValue }")]
    public void It_compiles_without_warnings(string source) => Assert.Empty(GeneratorRun.Problems(source));

    [Fact]
    public void Nothing_is_generated_for_an_assembly_without_grains() =>
        Assert.Empty(GeneratorRun.Driver().RunGenerators(GeneratorRun.Compile("public class C { }")).GetRunResult().GeneratedTrees);
}
