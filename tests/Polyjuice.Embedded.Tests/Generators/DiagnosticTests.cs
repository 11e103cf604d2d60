namespace Polyjuice.Embedded.Tests.Generators;

public sealed class DiagnosticTests
{
    [Theory]
    [InlineData("PJG001", "int M();")]
    [InlineData("PJG001", "void M();")]
    [InlineData("PJG001", "IAsyncEnumerable<int> M();")]
    [InlineData("PJG002", "Task M(ref int a);")]
    [InlineData("PJG002", "Task M(out int a);")]
    [InlineData("PJG002", "Task M(in int a);")]
    [InlineData("PJG003", "Task M<T>(T a);")]
    [InlineData("PJG006", "int P { get; }")]
    [InlineData("PJG006", "event Action E;")]
    [InlineData("PJG006", "static abstract Task M();")]
    [InlineData("PJG007", "Task M(CancellationToken a, CancellationToken b);")]
    [InlineData("PJG010", "[OneWay] Task<int> M();")]
    [InlineData("PJG011", "[ResponseTimeout(\"soon\")] Task M();")]
    [InlineData("PJG011", "[ResponseTimeout(\"-00:00:01\")] Task M();")]
    [InlineData("PJG012", "[Alias(\"a b\")] Task M();")]
    [InlineData("PJG014", "Task M(Action a);")]
    [InlineData("PJG014", "Task M(int[,] a);")]
    [InlineData("PJG014", "Task<List<Func<int>>> M();")]
    [InlineData("PJG014", "Task M(ReadOnlySpan<int> a);")]
    public void A_grain_method_that_cannot_be_called_is_refused(string id, string member) =>
        Refuses(id, $"public interface IBad : IGrainWithStringKey {{ {member} }}", "IBad");

    [Theory]
    [InlineData("PJG004", "public interface IBad<T> : IGrainWithStringKey { Task M(); }")]
    [InlineData("PJG004", "public class Outer<T> { public interface IBad : IGrainWithStringKey { Task M(); } }")]
    [InlineData("PJG005", "public class Outer { private interface IBad : IGrainWithStringKey { Task M(); } }")]
    [InlineData("PJG005", "file interface IBad : IGrainWithStringKey { Task M(); }")]
    public void A_grain_interface_that_cannot_be_implemented_is_refused(string id, string source) => Refuses(id, source, "IBad");

    [Theory]
    [InlineData("PJG005", "public class Outer { [GenerateSerializer] private class Bad { } }")]
    [InlineData("PJG008", "[GenerateSerializer] public class Bad { [Id(1)] public int A; [Id(1)] public int B; }")]
    [InlineData("PJG009", "[GenerateSerializer] public class Bad { [Id(1)] public static int A; }")]
    [InlineData("PJG009", "[GenerateSerializer] public class Bad { [Id(1)] public const int A = 1; }")]
    [InlineData("PJG009", "[GenerateSerializer] public class Bad { [Id(1)] public int A => 1; }")]
    [InlineData("PJG009", "[GenerateSerializer] public class Bad { [Id(1)] public int A { set { } } }")]
    [InlineData("PJG009", "[GenerateSerializer] public class Bad { [Id(1)] public int this[int i] { get => i; set { } } }")]
    [InlineData("PJG009", "[GenerateSerializer] public class Bad { [Id(1)] public Action A; }")]
    [InlineData("PJG009", "[GenerateSerializer] public record Bad(Func<int> A);")]
    [InlineData("PJG012", "[GenerateSerializer, Alias(\"a<b>\")] public class Bad { }")]
    [InlineData("PJG013", "[GenerateSerializer] public static class Bad { }")]
    [InlineData("PJG013", "[GenerateSerializer] public ref struct Bad { }")]
    [InlineData("PJG013", "[GenerateSerializer(IncludePrimaryConstructorParameters = true)] public class Bad(int a) { public int A => a; }")]
    public void A_type_that_cannot_have_a_codec_is_refused(string id, string source) => Refuses(id, source, "Bad");

    [Fact]
    public void A_refusal_points_at_its_source()
    {
        var refusal = Assert.Single(GeneratorRun.Refusals("\npublic interface IBad : IGrainWithStringKey\n{\n    int Wrong();\n}"));
        Assert.Equal("Source0.cs", refusal.Location.GetLineSpan().Path);
        Assert.Equal(4, refusal.Location.GetLineSpan().StartLinePosition.Line);
    }

    [Fact]
    public void Other_interfaces_are_none_of_the_generators_business() =>
        Assert.Empty(GeneratorRun.Refusals("public interface IFine : IDisposable { int M<T>(ref T a); }"));

    private static void Refuses(string id, string source, string named)
    {
        var refusal = Assert.Single(GeneratorRun.Refusals(source));
        Assert.Equal(id, refusal.Id);
        Assert.Contains(named, refusal.GetMessage());
    }
}
