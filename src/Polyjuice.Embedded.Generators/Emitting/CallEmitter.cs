using System.Globalization;

namespace Polyjuice.Embedded.Generators;

/// <summary>Writes the class of a grain method's calls.</summary>
internal static class CallEmitter
{
    private const string Nothing = Code.Invocation + ".Nothing";

    public static string ClassName(InterfaceModel type, int ordinal) => $"Call_{type.Mangled}_{ordinal}";

    public static string ResultOf(MethodModel method) => method.Result ?? Nothing;

    public static void Emit(SourceWriter writer, InterfaceModel type, int ordinal)
    {
        var method = type.Methods[ordinal];
        var name = ClassName(type, ordinal);
        var result = ResultOf(method);
        writer.Line().Line(Code.GeneratedCode).Open($"internal sealed class {name} : {Code.Invocation}.Invokable<{result}>");
        Descriptor(writer, type, ordinal);
        writer.Line().Line($"private static {Code.Serialization}.CodecSlot<{result}> s_result = new({Code.Serialization}.CodecProvider.Shared);");
        Arguments(method, (i, p) =>
        {
            if (p.Wire.IsCodec) writer.Line($"private static {Code.Serialization}.CodecSlot<{p.Type}> s_codec{i} = new({Code.Serialization}.CodecProvider.Shared);");
        });
        Arguments(method, (i, p) => writer.Line($"public {p.Type} A{i};"));

        writer.Line().Line($"public override {Code.Invocation}.GrainMethodDescriptor Method => Descriptor;");
        writer.Line().Line($"protected override {Code.Serialization}.IValueCodec<{result}> ResultCodec => s_result.Codec;");

        if (method.Parameters.All(static p => p.IsToken || !p.Wire.IsCodec || p.IsShared)) writer.Line().Line("public override bool AreArgumentsImmutable => true;");

        writer.Line().Open($"public override void WriteArguments(ref {Code.Serialization}.WireWriter writer)");
        Arguments(method, (i, p) => writer.Line(Code.Write(p.Wire, "A" + i, "s_codec" + i)));
        writer.Close();

        writer.Line().Open($"public override void ReadArguments(ref {Code.Serialization}.WireReader reader)");
        Arguments(method, (i, p) => writer.Line($"A{i} = {Code.Read(p.Wire, p.Type, "s_codec" + i)};"));
        writer.Close();

        writer.Line().Open($"public override {Code.Invocation}.Invokable Copy() => new {name}");
        writer.Line("CancellationToken = CancellationToken,");
        Arguments(method, (i, p) => writer.Line($"A{i} = {Code.Copy(p.Wire, "A" + i, "s_codec" + i, p.IsShared)},"));
        writer.Close("};");

        if (method.DeclaresAccesses || method.Transaction is not null)
        {
            writer.Line().Open("public override object? ArgumentAt(int index) => index switch");
            Arguments(method, (i, _) => writer.Line($"{i.ToString(CultureInfo.InvariantCulture)} => A{i},"));
            writer.Line("_ => base.ArgumentAt(index),");
            writer.Close("};");
        }

        Call(writer, method, result);
        writer.Close();
    }

    private static void Descriptor(SourceWriter writer, InterfaceModel type, int ordinal)
    {
        var method = type.Methods[ordinal];
        writer.Open($"internal static readonly {Code.Invocation}.GrainMethodDescriptor Descriptor = new()");
        writer.Line($"InterfaceName = {Code.Literal(type.FullName)},");
        writer.Line($"InterfaceType = typeof({type.Name}),");
        writer.Line($"MethodName = {Code.Literal(method.Name)},");
        writer.Line($"Ordinal = {ordinal.ToString(CultureInfo.InvariantCulture)},");
        writer.Line($"PathElement = new global::Polyjuice.Execution.GrainMethod({Code.Literal(method.PathElement)}, {Code.Literal(method.AccessSite)}),");
        var types = $"new global::System.Type[] {{ {string.Join(", ", method.Parameters.Select(static p => $"typeof({p.Type})"))} }}";
        if (method.Transaction is { } option)
        {
            writer.Line($"Transaction = (global::Orleans.TransactionOption){option.ToString(CultureInfo.InvariantCulture)},");
            writer.Line($"ParameterTypes = static () => {types},");
        }

        writer.Line($"IsReadOnlyTransaction = {Code.Literal(method.IsReadOnlyTransaction)},");
        writer.Line($"IsAlwaysInterleave = {Code.Literal(method.IsAlwaysInterleave)},");
        writer.Line($"IsReadOnly = {Code.Literal(method.IsReadOnly)},");
        writer.Line($"IsOneWay = {Code.Literal(method.IsOneWay)},");
        writer.Line($"IsRetryOff = {Code.Literal(method.IsRetryOff)},");
        if (method.AllowsReconnaissance) writer.Line("AllowsReconnaissance = true,");
        if (method.DeclaresAccesses) writer.Line($"DeclaredBy = static () => typeof({method.DeclaringInterface}).GetMethod({Code.Literal(method.Name)}, {types})!,");

        if (method.TimeoutTicks is { } ticks) writer.Line($"ResponseTimeout = new global::System.TimeSpan({ticks.ToString(CultureInfo.InvariantCulture)}L),");
        writer.Line($"Create = static () => new {ClassName(type, ordinal)}(),");
        writer.Close("};");
    }

    private static void Call(SourceWriter writer, MethodModel method, string result)
    {
        var arguments = string.Join(", ", method.Parameters.Select(static (p, i) => p.IsToken ? "CancellationToken" : "A" + i));
        var call = $"(({method.DeclaringInterface})target).{Code.Identifier(method.Name)}({arguments})";
        var valueTask = $"global::System.Threading.Tasks.ValueTask<{result}>";
        writer.Line().Open($"protected override {valueTask} CallAsync(object target)");
        switch (method.Return)
        {
            case ReturnKind.ValueTaskOfT:
                writer.Line($"return {call};").Close();
                return;
            case ReturnKind.TaskOfT:
                writer.Line($"return new {valueTask}({call});").Close();
                return;
            case ReturnKind.Void:
                writer.Line($"{call};").Line("return default;").Close();
                return;
        }

        writer.Line($"var task = {call};").Line("return task.IsCompletedSuccessfully ? default : Finish(task);").Close();
        var taskType = method.Return == ReturnKind.Task ? "Task" : "ValueTask";
        writer.Line().Open($"private static async {valueTask} Finish(global::System.Threading.Tasks.{taskType} task)");
        writer.Line("await task;").Line("return default;").Close();
    }

    private static void Arguments(MethodModel method, Action<int, ParameterModel> action)
    {
        for (var i = 0; i < method.Parameters.Count; i++)
        {
            if (!method.Parameters[i].IsToken) action(i, method.Parameters[i]);
        }
    }
}
