namespace Polyjuice.Embedded.Generators;

/// <summary>Writes the codec of a class or struct.</summary>
internal sealed class CodecEmitter
{
    private readonly TypeModel _type;
    private readonly SourceWriter _writer = new();
    private readonly bool _isStruct;

    private CodecEmitter(TypeModel type)
    {
        _type = type;
        _isStruct = type.Kind == TypeKindModel.Struct;
    }

    public static string ClassName(TypeModel type) => "Codec_" + type.Mangled;

    public static string Emit(TypeModel type, string assembly) => new CodecEmitter(type).Emit(assembly);

    private string Emit(string assembly)
    {
        var name = ClassName(_type);
        var kind = _isStruct ? "StructCodec" : "ClassCodec";
        _writer.Line($"namespace {Code.NamespaceOf(assembly)};").Line().Line(Code.GeneratedCode);
        _writer.Open($"internal sealed class {name}{_type.TypeParameters} : {Code.Serialization}.{kind}<{_type.Name}>{_type.Constraints}");
        Fields(name);
        Immutability();
        if (!_isStruct) Create();
        Write();
        Read();
        Copy();
        Describe();
        Accessors();
        return _writer.Close().ToString();
    }

    private void Fields(string name)
    {
        for (var i = 0; i < _type.Members.Count; i++)
        {
            if (_type.Members[i].Wire.IsCodec) _writer.Line($"private {Code.Serialization}.CodecSlot<{_type.Members[i].Type}> _codec{i};");
        }

        if (_type.BaseName is { } baseName)
        {
            var baseCodec = $"{Code.Serialization}.ClassCodec<{baseName}>";
            _writer.Line($"private {baseCodec}? _base;").Line();
            _writer.Line($"private {baseCodec} Base => _base ??= ({baseCodec})Provider.Get<{baseName}>();");
        }

        _writer.Line().Open($"public {name}({Code.Serialization}.CodecProvider provider) : base(provider)");
        for (var i = 0; i < _type.Members.Count; i++)
        {
            if (_type.Members[i].Wire.IsCodec) _writer.Line($"_codec{i} = new(provider);");
        }

        _writer.Close();
    }

    private void Immutability()
    {
        if (_type.IsAlwaysImmutable) _writer.Line().Line("public override bool IsImmutable => true;");
        if (!_type.IsExactImmutable && !_type.IsAlwaysImmutable) return;
        if (_type.IsAlwaysImmutable || _type.ImmutableIf.Count == 0)
        {
            _writer.Line().Line("public override bool IsExactImmutable => true;");
            return;
        }

        var conditions = string.Join(" && ", _type.ImmutableIf.Select(static type => $"Provider.Get<{type}>().IsImmutable"));
        _writer.Line().Line("private bool? _isExactImmutable;");
        _writer.Line().Line($"public override bool IsExactImmutable => _isExactImmutable ??= {conditions};");
    }

    private void Create() => _writer.Line().Line($"public override {_type.Name} Create() => {_type.Create switch
    {
        CreateKind.Constructor => $"new {_type.Name}()",
        CreateKind.ConstructorAccessor => "Construct()",
        CreateKind.Uninitialized => $"({_type.Name})global::System.Runtime.CompilerServices.RuntimeHelpers.GetUninitializedObject(typeof({_type.Name}))",
        _ => $"throw new {Code.Serialization}.WireFormatException(\"A message contains an instance of an abstract class.\")",
    }};");

    private void Write()
    {
        _writer.Line().Open($"public override void WriteMembers(ref {Code.Serialization}.WireWriter writer, {Ref}{_type.Name} value)");
        if (_type.BaseName is not null) _writer.Line("Base.WriteMembers(ref writer, value);");
        ForEach((i, member) => _writer.Line(Code.Write(member.Wire, Get(i, "value"), "_codec" + i)));
        _writer.Close();
    }

    private void Read()
    {
        _writer.Line().Open($"public override void ReadMembers(ref {Code.Serialization}.WireReader reader, {Ref}{_type.Name} value)");
        if (_type.BaseName is not null) _writer.Line("Base.ReadMembers(ref reader, value);");
        ForEach((i, member) => _writer.Line(Set(i, "value", Code.Read(member.Wire, member.Type, "_codec" + i))));
        _writer.Close();
    }

    // A copied struct already has what need not be copied.
    private void Copy()
    {
        _writer.Line().Open($"public override void CopyMembers({Ref}{_type.Name} from, {Ref}{_type.Name} to)");
        if (_type.BaseName is not null) _writer.Line("Base.CopyMembers(from, to);");
        ForEach((i, member) =>
        {
            if (_isStruct && (!member.Wire.IsCodec || member.IsShared)) return;
            _writer.Line(Set(i, "to", Code.Copy(member.Wire, Get(i, "from"), "_codec" + i, member.IsShared)));
        });
        _writer.Close();
    }

    private void Describe()
    {
        _writer.Line().Open($"public override void Describe({Code.Serialization}.IMemberVisitor visitor)");
        if (_type.BaseName is not null) _writer.Line("Base.Describe(visitor);");
        ForEach((i, member) =>
        {
            var instance = _isStruct
                ? $"ref global::System.Runtime.CompilerServices.Unsafe.Unbox<{_type.Name}>(instance)"
                : $"({_type.Name})instance";
            var declare = _isStruct ? "ref var value = " : "var value = ";
            _writer.Line($"visitor.Visit<{member.Type}>(")
                .Line($"    {Code.Literal(member.Name)},")
                .Line($"    static instance => {{ {declare}{instance}; return {Get(i, "value")}; }},")
                .Line($"    static (instance, member) => {{ {declare}{instance}; {Set(i, "value", "member")} }});");
        });
        _writer.Close();
    }

    private void Accessors()
    {
        if (!_isStruct && _type.Create == CreateKind.ConstructorAccessor)
            _writer.Line().Line($"{Code.Accessor}Constructor)]").Line($"private static extern {_type.Name} Construct();");
        ForEach((i, member) =>
        {
            if (member.Get == Access.Field || member.Set == Access.Field)
                _writer.Line().Line($"{Code.Accessor}Field, Name = {Code.Literal(member.FieldName)})]")
                    .Line($"private static extern ref {member.Type} Field{i}({Ref}{_type.Name} value);");
            if (member.Get == Access.Method)
                _writer.Line().Line($"{Code.Accessor}Method, Name = {Code.Literal("get_" + member.Name)})]")
                    .Line($"private static extern {member.Type} Get{i}({Ref}{_type.Name} value);");
            if (member.Set == Access.Method)
                _writer.Line().Line($"{Code.Accessor}Method, Name = {Code.Literal("set_" + member.Name)})]")
                    .Line($"private static extern void Set{i}({Ref}{_type.Name} value, {member.Type} member);");
        });
    }

    // Structs go by reference throughout, because accessors of their fields want one.
    private string Ref => _isStruct ? "ref " : "";

    // A member that is dynamic would have its codec called dynamically.
    private string Get(int i, string instance) => (_type.Members[i].Type == "object" ? "(object)" : "") + _type.Members[i].Get switch
    {
        Access.Direct => $"{instance}.{Code.Identifier(_type.Members[i].Name)}",
        Access.Field => $"Field{i}({Ref}{instance})",
        _ => $"Get{i}({Ref}{instance})",
    };

    private string Set(int i, string instance, string member) => _type.Members[i].Set switch
    {
        Access.Direct => $"{instance}.{Code.Identifier(_type.Members[i].Name)} = {member};",
        Access.Field => $"Field{i}({Ref}{instance}) = {member};",
        _ => $"Set{i}({Ref}{instance}, {member});",
    };

    private void ForEach(Action<int, MemberModel> action)
    {
        for (var i = 0; i < _type.Members.Count; i++) action(i, _type.Members[i]);
    }
}
