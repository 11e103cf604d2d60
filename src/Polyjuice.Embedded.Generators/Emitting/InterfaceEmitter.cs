namespace Polyjuice.Embedded.Generators;

/// <summary>Writes a grain interface's reference class, and a call class per method.</summary>
internal static class InterfaceEmitter
{
    public static string ClassName(InterfaceModel type) => "Reference_" + type.Mangled;

    public static string Emit(InterfaceModel type, string assembly)
    {
        var writer = new SourceWriter();
        writer.Line($"namespace {Code.NamespaceOf(assembly)};").Line();
        Reference(writer, type);
        for (var i = 0; i < type.Methods.Count; i++) CallEmitter.Emit(writer, type, i);
        return writer.ToString();
    }

    private static void Reference(SourceWriter writer, InterfaceModel type)
    {
        var name = ClassName(type);
        writer.Line(Code.GeneratedCode).Open($"internal sealed class {name} : {Code.Invocation}.GrainReference, {type.Name}");
        writer.Open($"internal static readonly {Code.Invocation}.GrainMethodDescriptor[] Methods =");
        for (var i = 0; i < type.Methods.Count; i++) writer.Line($"{CallEmitter.ClassName(type, i)}.Descriptor,");
        writer.Close("};").Line();
        writer.Open($"public {name}(global::Orleans.Runtime.GrainId id, {Code.Invocation}.IGrainCallRuntime runtime) : base(id, runtime)").Close();
        writer.Line().Line($"public override global::System.Type InterfaceType => typeof({type.Name});");
        for (var i = 0; i < type.Methods.Count; i++) Method(writer, type, i);
        writer.Close();
    }

    private static void Method(SourceWriter writer, InterfaceModel type, int ordinal)
    {
        var method = type.Methods[ordinal];
        var parameters = string.Join(", ", method.Parameters.Select(static (p, i) => $"{p.Type} a{i}"));
        var fields = string.Join(", ", method.Parameters.Select(static (p, i) => p.IsToken ? $"CancellationToken = a{i}" : $"A{i} = a{i}"));
        var call = $"CallAsync<{CallEmitter.ResultOf(method)}>(new {CallEmitter.ClassName(type, ordinal)} {{ {fields} }})";
        writer.Line().Line($"{ReturnType(method)} {method.DeclaringInterface}.{Code.Identifier(method.Name)}({parameters}) => {method.Return switch
        {
            ReturnKind.Void => "_ = " + call,
            ReturnKind.ValueTask or ReturnKind.ValueTaskOfT => $"new {ReturnType(method)}({call})",
            _ => call,
        }};");
    }

    private static string ReturnType(MethodModel method) => method.Return switch
    {
        ReturnKind.Void => "void",
        ReturnKind.Task => "global::System.Threading.Tasks.Task",
        ReturnKind.TaskOfT => $"global::System.Threading.Tasks.Task<{method.Result}>",
        ReturnKind.ValueTask => "global::System.Threading.Tasks.ValueTask",
        _ => $"global::System.Threading.Tasks.ValueTask<{method.Result}>",
    };
}
